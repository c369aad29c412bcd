//! Recognises furniture by the names in `class` and `id` attributes.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Names of furniture of any length.
const FURNITURE: &str = "\
    ad|ads|adv|advert|adverts|advertisement|adsbygoogle|adslot|dfp|sponsored|promo|promotion|promotions|share|\
    shares|sharing|sharebar|sharetools|social|socials|sharedaddy|addtoany|comments|comment|commentlist|respond|\
    reply|disqus|related|recommended|recommendations|recirc|readmore|readnext|newsletter|subscribe|subscription|\
    signup|optin|cookie|cookies|consent|gdpr|cmp|breadcrumb|breadcrumbs|crumbs|nav|navbar|navigation|navbox|\
    menu|submenu|sidebar|sidenav|pagination|pager|paging|prevnext|popup|modal|lightbox|toolbar|toc|tags|\
    taglist|tagcloud|topics|byline|bylines|authorbox|paywall|regwall|upsell|crosssell|reviews|review|rating|\
    ratings|printonly|noprint|nocontent|skip|skiplink|editsection|headerlink|permalink|catlinks|printfooter|\
    references|reflist|footnotes|sitenotice|announcement|feedback|postprofile|userinfo|signature|online|\
    linklist|pullquote|kicker|eyebrow|masthead|hreflang|languages|toctitle|donate|donation|footer|\
    ticker|trending|popular|mostread|copyright|colophon|imprint|credits|headerbar|actionbar|crumb|\
    noexcerpt|metadata|hatnote|mbox|ambox|shortcut|landmark|carousel|playlist|interstitial|\
    outbrain|taboola|livefeed|relatedcontent|infocard|cta|\
    pub|publicite|publicidad|pubblicita|werbung|anzeige|reklam|reklama|commentaires|kommentare|\
    comentarios|commenti|yorumlar|partage|partager|compartir|teilen|redes|migas|suggestions|sugerencias|\
    ilgili|verwandt|menue|navi|fil|ariane|bandeau|bouton";

/// Names of furniture that is short: author, date, picture credit, caption.
const SHORT: &str = "\
    author|authors|authorinfo|authorname|contributor|contributors|bio|userbio|posted|postedon|postdate|pubdate|published|\
    publishdate|updated|lastupdated|lastmod|modified|timestamp|datestamp|storytimestamp|dateline|readtime|readingtime|\
    viewcount|viewcounter|duration|countdown|attribution|credit|photocredit|imagecredit|mediacredit|caption|captions|\
    figcaption|legend|legende|bildunterschrift|bildnachweis|bildquelle|cnnplayer|player|feedlinks|categories|category|\
    endmark|disclaimer|disclosure|printinfo|wordcount";

/// Names of furniture that contains many links.
const LINKING: &str = "\
    teaser|teasers|widget|widgets|card|cards|module|more|next|prev|previous|links|headlines|stories|feed|feeds|stream|\
    slides|slideshow|slideshows|follow|login|register|latest|archive|archives|tools|utilities|highlights|also|weitere|\
    suite|mehr|altri|explore|discover|picks|syndication|partner|partners";

/// Parts of names that mark furniture anywhere in a word.
const PARTS: &str = "\
    cookie|consent|newsletter|breadcrumb|advert|sponsor|taboola|outbrain|disqus|paywall|sharethis|\
    addthis|social-|-social|share-|-share|most-read|most-popular|read-more|read-next|author-card|\
    author-box|author-bio|about-author|about-the-author|visually-hidden|screen-reader|sr-only|element-invisible|\
    jump-link|skip-link|skip-to|edit-link|editsection|related-|-related|recommend|comment-|-comments|back-to-top|\
    site-footer|site-header|page-footer|page-header-nav|popup|subscribe|sign-up|tag-list|post-tags|\
    post-meta|entry-meta|article-meta|print-only|no-print|side-nav|sidebar|navigation|promo-|-promo|\
    action-bar|version-warning|supported-by|live-blog-link|reading-time|read-time|word-count|view-count|\
    opt-in|optin|info-card|cta-|-cta";

/// Parts of names that mark inline elements as furniture.
const INLINE: &str = "\
    headerlink|permalink|anchor-link|anchorjs|editsection|visually-hidden|visuallyhidden|screen-reader|\
    sr-only|element-invisible|jump-link|cite-backlink|noprint|tooltip|footnote-ref|footnote-back";

/// Names of inline elements beside a picture.
const BESIDE_PICTURE: &[&str] = &["caption", "credit", "credits", "photocredit", "imagecredit", "copyright"];

/// Parts of names that mark long furniture: comments, reviews, other texts.
const LONG: &str = "\
    comment|kommentar|coment|yorum|reply|respond|disqus|review|related|recommend|sidebar|footer|reference|reflist|\
    footnote|cookie|consent|newsletter|paywall";

/// Words of the longest `id` that is a name. Longer ones are generated from a heading.
const ID_WORDS: usize = 3;

/// A word list for lookups.
type Words = LazyLock<HashSet<&'static str>>;

static FURNITURE_WORDS: Words = LazyLock::new(|| FURNITURE.split('|').collect());
static SHORT_WORDS: Words = LazyLock::new(|| SHORT.split('|').collect());
static LINKING_WORDS: Words = LazyLock::new(|| LINKING.split('|').collect());

/// The names of an element.
pub(super) struct Names {
    /// The names as written.
    written: Vec<String>,
}

impl Names {
    /// Returns the names in an element's `class` and `id`.
    pub fn of(class: Option<&str>, id: Option<&str>) -> Self {
        let mut written: Vec<String> =
            class.into_iter().flat_map(str::split_ascii_whitespace).map(str::to_owned).collect();
        let is_name = |id: &&str| id.split(['-', '_']).count() <= ID_WORDS && !id.contains(' ');
        written.extend(id.filter(is_name).map(str::to_owned));
        Self { written }
    }

    /// Returns whether they mark furniture.
    pub fn furniture(&self) -> bool {
        self.any_part(PARTS) || self.any_word(|w| FURNITURE_WORDS.contains(w))
    }

    /// Returns whether they mark furniture that may contain much prose.
    pub fn long_furniture(&self) -> bool {
        self.any_part(LONG)
    }

    /// Returns whether they mark furniture, provided that the element is short.
    pub fn short_furniture(&self) -> bool {
        self.any_word(|w| SHORT_WORDS.contains(w))
    }

    /// Returns whether they mark furniture, provided that the element contains many links.
    pub fn linking_furniture(&self) -> bool {
        self.any_word(|w| LINKING_WORDS.contains(w))
    }

    /// Returns whether they mark a notice over the page, of any length.
    pub fn notice(&self) -> bool {
        self.any_part("cookie|consent|gdpr|paywall|regwall")
    }

    /// Returns whether they mark an inline element as furniture.
    pub fn inline_furniture(&self) -> bool {
        self.any_part(INLINE) || self.any_word(|w| BESIDE_PICTURE.contains(&w))
    }

    fn any_part(&self, parts: &str) -> bool {
        self.written.iter().any(|name| {
            let name = name.to_ascii_lowercase();
            parts.split('|').any(|part| name.contains(part))
        })
    }

    /// Returns whether `found` accepts one of the words: parts of a name between symbols, in lower case, and words of
    /// camel case.
    fn any_word(&self, found: impl Fn(&str) -> bool) -> bool {
        self.written.iter().any(|name| {
            let lower = name.to_ascii_lowercase();
            lower
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| found(word.trim_end_matches(|c: char| c.is_ascii_digit())))
                || humps(name).any(|word| found(&word))
        })
    }
}

/// Letters of the shortest word in camel case: generated names end in random letters.
const HUMP: usize = 5;

/// Splits a name in camel case into lower-case words: "photoCredit" → "photo", "credit".
fn humps(name: &str) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for c in name.chars() {
        let begins = !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && lower_before);
        if begins && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphabetic() {
            word.push(c.to_ascii_lowercase());
        }
        lower_before = c.is_ascii_lowercase();
    }
    words.push(word);
    words.into_iter().filter(|w| w.len() >= HUMP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names_tell_furniture() {
        let furniture = |names: &str| Names::of(Some(names), None).furniture();
        for name in [
            "cookie",
            "c-ad c-ad--wide",
            "story related-links",
            "mw-editsection",
            "cookieBanner",
            "SHARE",
            "RelatedContent",
            "EmailOptin",
            "styles_shareTools__x1",
        ] {
            assert!(furniture(name), "{name}");
        }
        for name in [
            "story__body",
            "headline",
            "shadow",
            "address",
            "lead",
            "entry-content",
            "broad",
            "pad-lg",
            "",
            "Adam",
            "article__Ee5Ad",
        ] {
            assert!(!furniture(name), "{name}");
        }
        assert!(Names::of(None, Some("share-bar")).furniture());
        // The words of a heading.
        assert!(!Names::of(None, Some("sharing-with-several-people")).furniture());
        assert!(Names::of(Some("news_photoCredit"), None).short_furniture());
    }
}
