//! What the furniture of pages is called: in class names, and in the languages that pages are written in.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that are looked up.
type Words = LazyLock<HashSet<&'static str>>;

/// The words of a text with bars between them.
fn words(text: &'static str) -> HashSet<&'static str> {
    text.split('|').collect()
}

/// Words of `class` and `id` attributes, whole, that name furniture.
static TOKENS: Words = LazyLock::new(|| {
    words(
        "\
    ad|ads|adv|advert|adverts|advertisement|adsbygoogle|dfp|sponsored|promo|promotion|promotions|share|\
    shares|sharing|sharebar|social|socials|sharedaddy|addtoany|comments|comment|commentlist|respond|\
    reply|disqus|related|recommended|recommendations|recirc|readmore|newsletter|subscribe|subscription|\
    signup|cookie|cookies|consent|gdpr|cmp|breadcrumb|breadcrumbs|crumbs|nav|navbar|navigation|navbox|\
    menu|submenu|sidebar|sidenav|pagination|pager|paging|prevnext|popup|modal|lightbox|toolbar|toc|tags|\
    taglist|tagcloud|topics|byline|authorbox|paywall|regwall|upsell|crosssell|reviews|review|rating|\
    ratings|printonly|noprint|skip|skiplink|editsection|headerlink|permalink|catlinks|printfooter|\
    references|reflist|footnotes|sitenotice|announcement|feedback|postprofile|userinfo|signature|online|\
    linklist|pullquote|kicker|eyebrow|masthead|hreflang|languages|toctitle|donate|donation|footer|\
    ticker|trending|popular|mostread|copyright|colophon|imprint|credits|headerbar|actionbar|crumb|\
    noexcerpt|metadata|hatnote|mbox|ambox|shortcut|\
    pub|publicite|publicidad|pubblicita|werbung|anzeige|reklam|reklama|commentaires|kommentare|\
    comentarios|commenti|yorumlar|partage|partager|compartir|teilen|redes|migas|suggestions|sugerencias|\
    ilgili|verwandt|menue|navi|fil|ariane|bandeau|bouton",
    )
});

/// Parts of such words that name furniture wherever they stand.
const PARTS: &str = "\
    cookie|consent|newsletter|breadcrumb|advert|sponsor|taboola|outbrain|disqus|paywall|sharethis|\
    addthis|social-|-social|share-|-share|most-read|most-popular|read-more|read-next|author-card|\
    author-box|author-bio|about-author|visually-hidden|screen-reader|sr-only|jump-link|skip-link|\
    skip-to|edit-link|editsection|related-|-related|recommend|comment-|-comments|back-to-top|\
    site-footer|site-header|page-footer|page-header-nav|popup|subscribe|sign-up|tag-list|post-tags|\
    post-meta|entry-meta|article-meta|print-only|no-print|side-nav|sidebar|navigation|promo-|-promo|\
    action-bar|version-warning";

/// Parts of the words of elements within a line that are no part of it.
const INLINE: &str = "\
    headerlink|permalink|anchor-link|anchorjs|editsection|visually-hidden|visuallyhidden|screen-reader|\
    sr-only|jump-link|cite-backlink|noprint|tooltip|footnote-ref|footnote-back";

/// Headings that stand over furniture; what follows such a heading goes with it. Folded by [`folded`].
static HEADINGS: Words = LazyLock::new(|| {
    words(
        "\
    related|related articles|related posts|related stories|related content|related reading|\
    related links|read more|read next|more stories|more from|more on this story|more on this topic|\
    most read|most popular|popular posts|recent posts|trending|trending now|latest news|\
    you may also like|you might also like|recommended|recommended for you|recommended reading|see also|\
    further reading|external links|references|notes|footnotes|comments|leave a comment|leave a reply|\
    share|share this|share this article|share this post|follow us|subscribe|newsletter|sign up|\
    about the author|tags|topics|categories|advertisement|sponsored|customer reviews|reviews|\
    on this page|contents|table of contents|navigation menu|like this post|keep reading|who is online|\
    up next|dont miss|\
    verwandte artikel|ähnliche artikel|ähnliche beiträge|mehr zum thema|lesen sie auch|weiterlesen|\
    das könnte sie auch interessieren|auch interessant|meistgelesen|einzelnachweise|weblinks|literatur|\
    siehe auch|kommentare|inhaltsverzeichnis|inhalt|teilen|schlagwörter|navigationsmenü|anzeige|\
    über den autor|über die autorin|\
    articles similaires|à lire aussi|lire aussi|sur le même sujet|vous aimerez aussi|\
    vous pourriez aimer aussi|les plus lus|commentaires|partager|notes et références|références|\
    voir aussi|liens externes|sommaire|à propos de lauteur|\
    artículos relacionados|noticias relacionadas|te puede interesar|también te puede interesar|\
    lo más leído|lee también|últimas noticias|comentarios|compartir|referencias|véase también|\
    enlaces externos|artigos relacionados|leia também|leia mais|veja também|mais lidas|comentários|\
    referências|articoli correlati|leggi anche|potrebbe interessarti|ti potrebbe interessare|commenti|\
    condividi|i più letti|note|collegamenti esterni|\
    lees ook|gerelateerde artikelen|reacties|meest gelezen|läs också|läs mer|relaterade artiklar|\
    kommentarer|czytaj także|zobacz także|komentarze|najczęściej czytane|ilgili haberler|\
    ilginizi çekebilir|bunlar da ilginizi çekebilir|yorumlar|en çok okunanlar|paylaş|\
    читайте также|похожие статьи|похожие записи|по теме|комментарии|поделиться|популярное|примечания|\
    см также|ссылки|литература|читайте також|коментарі|\
    اقرأ أيضا|اقرأ أيضاً|مواضيع ذات صلة|مقالات ذات صلة|التعليقات|تعليقات|شارك|شارك الخبر|الأكثر قراءة|\
    مراجع|המלצות|תגובות|כתבות נוספות|مطالب مرتبط|نظرات|\
    यह भी पढ़ें|ये भी पढ़ें|संबंधित खबरें|टिप्पणियाँ|सबसे ज़्यादा पढ़ी गई|मनोरंजन|\
    相关阅读|相关文章|相关新闻|相關閱讀|相關文章|推荐阅读|推薦閱讀|评论|留言|分享到|热门文章|参考文献|参考资料|関連記事|関連リンク|あわせて読みたい|おすすめ記事|人気記事|コメント|脚注|\
    外部リンク|シェア|관련 기사|관련기사|추천 기사|댓글|많이 본 뉴스|공유하기",
    )
});

/// Lines that are furniture by themselves. Folded by [`folded`].
static LINES: Words = LazyLock::new(|| {
    words(
        "\
    advertisement|advertisements|ad|sponsored|sponsored content|promoted|share|share this|print|\
    copy link|loading|reply|report|read more|continue reading|learn more|back to top|skip to content|\
    skip to main content|anzeige|werbung|publicité|publicidad|publicidade|pubblicità|advertentie|annons|\
    reklama|reklam|реклама|إعلان|اعلان|विज्ञापन|广告|廣告|広告|pr|광고|weiterlesen|lire la suite|leer más|\
    leia mais|imprimer|imprimir|drucken",
    )
});

/// What readers leave, which pages count.
static COUNTED: Words = LazyLock::new(|| {
    words(
        "\
    votes|ratings|reviews|comments|shares|likes|views|replies|avis|commentaires|notes|bewertungen|\
    kommentare|stimmen|valoraciones|votos|comentarios|voti|recensioni|oy|yorum|оценок|голосов|\
    комментариев",
    )
});

/// Words that introduce an author's name.
const BY: &str = "\
    by|posted by|written by|words by|von|par|por|di|door|av|автор|yazan|बाय|लेखक|द्वारा|بقلم|كتب|كتبت|文|\
    作者|記者|记者|文／|글";

/// A text for comparing: lower case, letters and digits, single spaces.
pub(super) fn folded(text: &str) -> String {
    let kept = text.chars().filter(|c| !matches!(c, '\'' | '’' | '\u{ad}'));
    let spaced: String = kept
        .map(|c| if c.is_alphanumeric() || is_mark(c) { c } else { ' ' })
        .flat_map(char::to_lowercase)
        // The dot of the Turkish capital.
        .filter(|c| *c != '\u{307}')
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Vowel signs of Indic scripts and Arabic vowels are no letters, and parts of words.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{064b}'..='\u{0652}' | '\u{0900}'..='\u{0dff}' | '\u{0e31}'..='\u{0e4e}')
}

/// Whether a `class` or `id` names furniture.
pub(super) fn names_furniture(names: &str) -> bool {
    let lower = names.to_ascii_lowercase();
    lower.split_ascii_whitespace().any(|name| {
        PARTS.split('|').any(|part| name.contains(part))
            || name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| TOKENS.contains(word))
    })
}

/// Whether a `class` or `id` names a notice that stands before the page, however long it is.
pub(super) fn names_notice(names: &str) -> bool {
    let lower = names.to_ascii_lowercase();
    ["cookie", "consent", "gdpr", "paywall", "regwall"].iter().any(|part| lower.contains(part))
}

/// Whether the `class` or `id` of an element within a line says that it is no part of it.
pub(super) fn names_inline_furniture(names: &str) -> bool {
    let lower = names.to_ascii_lowercase();
    INLINE.split('|').any(|part| lower.contains(part))
}

/// Whether a heading stands over furniture.
pub(super) fn heads_furniture(heading: &str) -> bool {
    let folded = folded(heading);
    // "27 commentaires", "Comments (3)".
    let counted = folded.trim_matches(|c: char| c.is_numeric() || c == ' ');
    HEADINGS.contains(folded.as_str()) || (!counted.is_empty() && HEADINGS.contains(counted))
}

/// Whether a line is furniture by itself.
pub(super) fn is_furniture_line(line: &str) -> bool {
    let folded = folded(line);
    // "4.8 out of 5 (312 votes)".
    let counts = || {
        if line.trim_end().ends_with(['.', '!', '?', '。', '।']) {
            return false;
        }
        let mut words = folded.rsplit(' ');
        words.next().is_some_and(|last| COUNTED.contains(last))
            && words.next().is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    };
    LINES.contains(folded.as_str()) || counts()
}

/// Words before an author's name, which begins a line.
const BEFORE_NAME: &[&str] = &[
    "by ",
    "posted by ",
    "written by ",
    "words by ",
    "von ",
    "par ",
    "por ",
    "di ",
    "автор: ",
    "автор ",
    "yazan: ",
    "लेखक: ",
    "بقلم: ",
    "الكاتب: ",
];
/// Marks before an author's name, which may stand within a line.
const MARKS_OF_NAME: &[&str] = &["作者：", "作者:", "文／", "記者／", "记者 "];
/// Words within names that have no capital.
const PARTICLES: &[&str] =
    &["van", "von", "de", "der", "den", "da", "di", "du", "la", "le", "el", "al", "bin", "und", "and"];

/// The author that a line names, where it is such a line.
pub(super) fn author_in(line: &str) -> Option<String> {
    let line = line.trim();
    let lower = line.to_lowercase();
    // Case changes the length of no word of these.
    let begun = BEFORE_NAME.iter().find(|b| lower.starts_with(**b)).and_then(|b| line.get(b.len()..));
    let rest = begun.or_else(|| MARKS_OF_NAME.iter().find_map(|m| line.split_once(m).map(|(_, rest)| rest)))?;
    let ends = |c: char| {
        c.is_numeric() || matches!(c, ',' | '，' | '·' | '|' | '(' | '（' | '【' | '、' | '–' | '—' | '»' | ';' | ':')
    };
    let name = rest.split(ends).next().unwrap_or("");
    let name = name.split(" - ").next().unwrap_or("").split(" on ").next().unwrap_or("").trim();
    // A name in Chinese ends at a space.
    let name = if begun.is_none() { name.split_whitespace().next().unwrap_or("") } else { name };
    let words: Vec<&str> = name.split_whitespace().collect();
    let upper = |w: &str| w.chars().next().is_some_and(|c| !c.is_lowercase() && c.is_alphabetic());
    let named = words.iter().all(|w| upper(w) || PARTICLES.contains(w)) && words.first().is_some_and(|w| upper(w));
    let long = (2..=40).contains(&name.chars().count()) && words.len() <= 5 && !name.ends_with('.');
    (named && long).then(|| name.to_owned())
}

/// Whether a line says who wrote the page: it names the author and little else, or begins as such lines do.
pub(super) fn is_byline(line: &str, author: Option<&str>) -> bool {
    let line = folded(line);
    let words = line.split(' ').count();
    let named = author.map(folded).filter(|a| !a.is_empty()).is_some_and(|a| line.contains(&a));
    let begins = BY.split('|').any(|by| line == by || line.strip_prefix(by).is_some_and(|rest| rest.starts_with(' ')));
    (named && words <= 14) || (begins && words <= 14 && line.chars().any(|c| c.is_numeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_names_tell_furniture() {
        for furniture in ["cookie", "c-ad c-ad--wide", "story related-links", "mw-editsection", "cookieBanner", "SHARE"]
        {
            assert!(names_furniture(furniture), "{furniture}");
        }
        for content in ["story__body", "headline", "shadow", "address", "lead", "entry-content", "broad", "pad-lg", ""]
        {
            assert!(!names_furniture(content), "{content}");
        }
    }

    #[test]
    fn headings_and_lines_tell_furniture() {
        for heading in
            ["Read more", "27 commentaires", "Comments (3)", "İlginizi çekebilir", "यह भी पढ़ें", "À lire aussi :"]
        {
            assert!(heads_furniture(heading), "{heading}: {:?}", folded(heading));
        }
        for heading in ["Leaves that stay put", "Related work in three fields", "2026", ""] {
            assert!(!heads_furniture(heading), "{heading}");
        }
        assert!(is_furniture_line(" ADVERTISEMENT ") && is_furniture_line("विज्ञापन"));
        assert!(!is_furniture_line("Advertisement pays for it."));
    }

    #[test]
    fn authors_are_found_in_their_lines() {
        for (line, author) in [
            ("By Ada Moor, tide reporter", Some("Ada Moor")),
            ("Posted by Noor van Dalen on 9 November", Some("Noor van Dalen")),
            ("Автор: Павел Гордеев, 14 марта 2003 г.", Some("Павел Гордеев")),
            ("2026-04-06 10:22 来源：青溪生活网 作者：何文涛 【字号】", Some("何文涛")),
            ("By 1904 the mill stood", None),
            ("Par ailleurs", None),
            ("Von hier aus", None),
            ("By", None),
        ] {
            assert_eq!(author_in(line).as_deref(), author, "{line}");
        }
    }

    #[test]
    fn bylines_are_short_and_named() {
        let author = Some("Ada Moor");
        assert!(is_byline("By Ada Moor, tide reporter · 9 November", author));
        assert!(is_byline("Posted by Bo Lund on 9 November 2026", None));
        assert!(!is_byline(
            "By 1904 the mill had stood for a century, and nobody in the town knew any more who had built it.",
            None
        ));
        assert!(!is_byline("The mill was built in 1904.", author));
    }
}
