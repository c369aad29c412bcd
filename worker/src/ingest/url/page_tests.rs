//! Pages of news sites and blogs: the text around an article is removed.

use super::{Article, Page, read_page};

const STORY: &str = "<p>The sea rises and falls twice a day, and the moon pulls at the water wherever it stands above it.</p>\
    <p>At new and full moon the tides are highest, for the sun pulls the same way. The harbour master writes the heights \
    on a board each morning, and the ferries sail by it.</p><p>In the winter of 1904 the water rose by four metres, and \
    the people of the lower town moved into the mill until it fell again.</p>";

fn article(html: &str) -> Article {
    read_page(Page { url: "https://www.tidewater.example/sea/tides", charset: None, bytes: html.as_bytes() }).unwrap()
}

/// Returns the Markdown of a page with `before` and `after` around its story, within its article.
fn around(before: &str, after: &str) -> String {
    let html = format!(
        "<title>Why tides turn | Tidewater</title><meta property=og:site_name content=Tidewater>\
         <meta name=author content='Ada Moor'><body><article><h1>Why tides turn</h1>{before}{STORY}{after}</article>"
    );
    article(&html).markdown
}

#[test]
fn furniture_stays_out_wherever_it_stands() {
    let bare = around("", "");
    for furniture in [
        "<p class=news_date>09.11.2026 12:46</p>",
        "<div class=meta-line><time datetime=2026-11-09>9 November 2026</time> · 5 min read</div>",
        "<div class=kicker>Sea</div>",
        "<p><span class=photoCredit>Ada Moor</span></p>",
        "<figure><img src=/a.jpg><div class=attribution>ADA MOOR/AFP</div></figure>",
        "<div class=featuredMedia><img src=/a.jpg><span class=caption>The pier in winter</span></div>",
        "<p>Photo: Ada Moor</p>",
        "<p>[<a href=/x>Read: Why the moon pulls</a>]</p>",
        "<p><strong>Read more: <a href=/x>Why the moon pulls</a></strong></p>",
        "<div id=EmailOptin><p>Every tide in your mail</p></div>",
        "<p>Sign up for our newsletter and get the tides each morning.</p>",
        "<div class=RelatedContent><h3>Other people are reading</h3><p><a href=/x>Why the moon pulls</a></p></div>",
        "<div><h3>Around the coast</h3><ul><li><a href=/a><h4>Boats</h4></a><p>They sail.</p></li><li><a href=/b><h4>Birds</h4></a>\
         <p>They fly.</p></li><li><a href=/c><h4>Bells</h4></a><p>They ring.</p></li></ul></div>",
        "<div class='widget hideOnMobile'><p><a href=/x>A photo contest winner of the sea</a></p><p>Previous</p></div>",
        "<p>Share this story</p><p>Facebook</p><p>Twitter</p>",
        "<ul class=share-tools><li><a href=/f>Facebook</a><li><a href=/t>Twitter</a></ul>",
        "<div class=comments-count>11Comments. Click to view comments</div>",
        "<div class=post-tags>Tags: <a href=/t>sea</a></div>",
        "<p>ADVERTISEMENT</p>",
        "<p>Supported by</p>",
        "<p>Follow Tidewater: Twitter | Facebook</p>",
        "<div class=userBio><p>Ada Moor writes about the sea.</p></div>",
        "<nav class=toc><ol><li><a href=#a>One</a><li><a href=#b>Two</a></ol></nav>",
        "<ol class=breadcrumb><li><a href=/>Home</a><li><a href=/sea>Sea</a></ol>",
    ] {
        assert_eq!(around(furniture, ""), bare, "before: {furniture}");
        assert_eq!(around("", furniture), bare, "after: {furniture}");
    }
}

#[test]
fn what_looks_like_furniture_and_is_not_stays() {
    for (content, words) in [
        (
            "<ul><li>9 November 2026: the pier opens<li>10 November 2026: it closes</ul>",
            "9 November 2026: the pier opens",
        ),
        ("<blockquote class=comment><p>The sea was here first.</p></blockquote>", "The sea was here first."),
        (
            "<section id=sharing-with-a-single-crew><h2>Sharing</h2><p>Crews share a boat.</p></section>",
            "Crews share a boat.",
        ),
        ("<div class=columns><p>Two columns <a href=/x>of words</a>.</p></div>", "Two columns of words."),
        ("<figure><pre>high 4.1 m</pre><figcaption>Heights</figcaption></figure>", "high 4.1 m"),
        (
            "<div class=article__Ee5Ad><p>Names that tools make say nothing.</p></div>",
            "Names that tools make say nothing.",
        ),
        ("<h2>Photo albums of the harbour</h2><p>There are nine.</p>", "Photo albums of the harbour"),
    ] {
        assert!(around("", content).contains(words), "{content}: {}", around("", content));
    }
}

#[test]
fn the_anchors_of_headings_are_not_read() {
    for anchor in [
        "<a class=direct-link href=#spring>#</a>",
        "<a href='#spring' aria-label=link>¶</a>",
        "<a href=/sea/tides#spring>§</a>",
    ] {
        let text = around("", &format!("<h2 id=spring>Spring tides {anchor}</h2><p>They come with the full moon.</p>"));
        assert!(text.contains("## Spring tides\n"), "{text}");
    }
    let linked = around("", "<h2><a href=#spring>Spring tides</a></h2><p>They come with the full moon.</p>");
    assert!(linked.contains("## Spring tides\n"), "{linked}");
}

#[test]
fn a_standfirst_outside_the_body_leads_the_article() {
    let html = format!(
        "<title>Why tides turn</title><main><article><h1>Why tides turn</h1><p class=lead>The moon pulls at the water, and \
         twice a month the sun helps.</p><p>9 November 2026</p><div itemprop=articleBody>{STORY}</div></article></main>"
    );
    let text = article(&html).markdown;
    assert!(
        text.starts_with(
            "# Why tides turn\n\nThe moon pulls at the water, and twice a month the sun helps.\n\nThe sea"
        ),
        "{text}"
    );
}

#[test]
fn a_sidebar_that_is_longer_than_the_article_stays_out() {
    let feed =
        "<li><p>14:10</p><p>A boat came in, and the next boat went out again with the tide of the morning.</p></li>";
    let html = format!(
        "<title>Why tides turn</title><div role=main><div role=article><article><h1>Why tides turn</h1>{STORY}</article></div>\
         <aside role=complementary><h2>Live</h2><ul>{}</ul></aside></div>",
        feed.repeat(8)
    );
    let text = article(&html).markdown;
    assert!(text.contains("winter of 1904") && !text.contains("A boat came in"), "{text}");
}

#[test]
fn the_heading_that_is_shown_is_the_title() {
    let title =
        |head: &str, h1: &str| article(&format!("{head}<h1>{h1}</h1><article>{STORY}</article>")).title.unwrap();
    let shown = "Why tides turn twice a day";
    for head in [
        "<title>Why tides turn twice a day | Tidewater</title><meta property=og:title content='You will not believe the sea'>",
        "<title>Why tides turn twice a day - The Weekly</title><script type='application/ld+json'>{\"@type\": \"Article\", \
         \"headline\": \"rise and fall of the sea\"}</script>",
    ] {
        assert_eq!(title(head, shown), shown);
    }
    // The site's heading, on every page of it.
    assert_eq!(
        title("<title>The Tidewater Post: Why tides turn twice a day</title>", "The Tidewater Post"),
        "The Tidewater Post: Why tides turn twice a day"
    );
}

#[test]
fn line_breaks_of_code_stay() {
    let text = around("", "<pre>let a = 1;<br>let b = 2;</pre>");
    assert!(text.contains("let a = 1;\nlet b = 2;\n"), "{text}");
}
