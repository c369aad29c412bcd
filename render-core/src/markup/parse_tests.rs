//! Tests of parsing and printing pages, with a small vocabulary of their own.

use super::*;
use crate::limits::{DRAWING_BYTES, MARKUP_BYTES, PAGE_DEPTH, PAGE_FAULTS};
use crate::tree::{Attribute, Element, Fault, Group, Holds, Kind, Node, Run, Tree, Vocabulary};

const SHAPES: Holds = Holds::Only(&["rect", "circle", "path", "g", "linearGradient"]);

const fn element(name: &'static str, group: Group, holds: Holds, attributes: &'static [Attribute]) -> Element {
    Element { name, group, about: "an element", holds, attributes }
}

const GAP: Attribute = Attribute::or("gap", Kind::Space, "3");
const SIZE: Attribute = Attribute::or("size", Kind::Fit, "md");
const FILL: Attribute = Attribute::new("fill", Kind::Paint);

pub(super) static VOCABULARY: Vocabulary = Vocabulary(&[
    &element("page", Group::Containers, Holds::Elements, &[GAP, Attribute::new("ground", Kind::Colour)]),
    &element("column", Group::Containers, Holds::Elements, &[GAP]),
    &element("card", Group::Containers, Holds::Elements, &[GAP, Attribute::or("shadow", Kind::Flag, "true")]),
    &element("headline", Group::Text, Holds::Words, &[SIZE]),
    &element("text", Group::Text, Holds::Words, &[SIZE]),
    &element("label", Group::Text, Holds::Words, &[]),
    &element("caption", Group::Text, Holds::Words, &[]),
    &element("code", Group::Text, Holds::Words, &[]),
    &element("list", Group::Text, Holds::Only(&["item"]), &[Attribute::new("marks", Kind::Choice(&["dot", "check"]))]),
    &element("item", Group::Parts, Holds::WordsAnd(&["pill", "list"]), &[Attribute::or("mark", Kind::Flag, "false")]),
    &element("pill", Group::Marks, Holds::Words, &[Attribute::new("note", Kind::Words)]),
    &element("rule", Group::Marks, Holds::Nothing, &[]),
    &element("svg", Group::Pictures, SHAPES, &[Attribute::new("viewBox", Kind::Numbers)]),
    &element("g", Group::Shapes, SHAPES, &[FILL, Attribute::new("transform", Kind::Transform)]),
    &element("rect", Group::Shapes, Holds::Nothing, &[FILL, Attribute::new("x", Kind::Number(-1e5, 1e5))]),
    &element("circle", Group::Shapes, Holds::Nothing, &[FILL, Attribute::new("r", Kind::Number(0.0, 1e5))]),
    &element("path", Group::Shapes, Holds::Nothing, &[FILL, Attribute::new("d", Kind::Path)]),
    &element("linearGradient", Group::Shapes, Holds::Only(&["stop"]), &[]),
    &element("stop", Group::Shapes, Holds::Nothing, &[Attribute::new("offset", Kind::Number(0.0, 1.0))]),
]);

pub(super) fn read(text: &str) -> Tree {
    parse(text, &VOCABULARY).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

/// Returns the page's only child.
fn child(text: &str) -> Node {
    let mut page = read(&format!("<page>{text}</page>")).root;
    assert_eq!(page.children.len(), 1, "{text}");
    page.children.remove(0)
}

/// Returns the faults of a page with the content `text`, as text.
fn faults_of(text: &str) -> Vec<String> {
    let faults = parse(text, &VOCABULARY).expect_err(text);
    assert!(!faults.is_empty() && faults.len() <= PAGE_FAULTS, "{text}: {faults:?}");
    faults.iter().map(Fault::to_string).collect()
}

fn has_fault(text: &str, fault: &str) {
    let faults = faults_of(&format!("<page>{text}</page>"));
    assert!(faults.iter().any(|f| f.contains(fault)), "{fault:?} is none of {faults:?}");
}

fn marked(text: &str, names: &[&str]) -> Run {
    let mut run = Run::plain(text);
    names.iter().for_each(|name| *run.marks.named(name).expect("a mark") = true);
    run
}

#[test]
fn a_page_is_read() {
    let tree = read(
        "<page gap='5'>\n  <headline size=\"md..hero\">Less <em>waste</em></headline>\n  <card id=\"offer\" shadow>\n\
         <text>One</text>\n  </card>\n</page>",
    );
    let ids: Vec<&str> = tree.root.walk().map(|n| n.id.as_str()).collect();
    assert_eq!(ids, ["page", "headline-1", "offer", "text-1"]);
    assert_eq!(tree.root.get("gap"), Some("5"));
    assert_eq!(tree.root.children[0].words, [Run::plain("Less "), marked("waste", &["em"])]);
    assert!(tree.root.children[1].flag("shadow"));
}

#[test]
fn the_printed_text_is_canonical() {
    let text = "<page ground=\"bg\" gap=2><list><item mark>A &amp; b<pill>New</pill></item></list><rule/>\n\
                <em>Bare</em>\n\
                <svg viewBox=\"0 0 9 9\"><g id=\"g\"><path fill='accent' d=\"M0 0\nL1 1\"/></g></svg></page>";
    let printed = "\
<page id=\"page\" gap=\"2\" ground=\"bg\">
  <list id=\"list-1\">
    <item id=\"item-1\" mark=\"\">A &amp; b
      <pill id=\"pill-1\">New</pill>
    </item>
  </list>
  <rule id=\"rule-1\"/>
  <text id=\"text-1\"><em>Bare</em></text>
  <svg id=\"svg-1\" viewBox=\"0 0 9 9\">
    <g id=\"g\">
      <path fill=\"accent\" d=\"M0 0 L1 1\"/>
    </g>
  </svg>
</page>
";
    assert_eq!(print(&read(text)), printed);
    assert_eq!(print(&read(printed)), printed);
}

#[test]
fn white_space_of_words_collapses() {
    let words = |text: &str| child(&format!("<text>{text}</text>")).words;
    assert_eq!(words("\n  One \t two\n"), [Run::plain("One two")]);
    assert_eq!(words("a <em> b </em> c"), [Run::plain("a "), marked("b ", &["em"]), Run::plain("c")]);
    assert_eq!(words("a<em> b</em>"), [Run::plain("a"), marked(" b", &["em"])]);
    assert_eq!(words("a <br> b<br/><br></br>c<br/>"), [Run::plain("a\nb\n\nc")]);
    assert_eq!(words("<em>a</em><i>b</i>"), [marked("ab", &["em"])]);
    assert_eq!(words("<b>a<em>b</em></b>"), [marked("a", &["strong"]), marked("b", &["em", "strong"])]);
    assert_eq!(words("10\u{a0}\u{a0}km&nbsp;"), [Run::plain("10\u{a0}\u{a0}km\u{a0}")]);
    assert_eq!(words("<em></em> <br/>"), []);
}

#[test]
fn printing_keeps_marks_open() {
    let text = "<text>a <em>b<strong> c<br/>d</strong></em> e</text>";
    let printed = print(&read(&format!("<page>{text}</page>")));
    assert!(printed.contains("<text id=\"text-1\">a <em>b<strong> c<br/>d</strong></em> e</text>"), "{printed}");
}

#[test]
fn bare_words_become_a_text() {
    let card = child("<card>Two <b>bold</b> words<rule/>\n  <br/><code>x</code> Run <code>y</code> now <rule/></card>");
    let ids: Vec<&str> = card.children.iter().map(|n| n.id.as_str()).collect();
    assert_eq!(ids, ["text-1", "rule-1", "text-2", "rule-2"]);
    assert_eq!(card.children[0].words, [Run::plain("Two "), marked("bold", &["strong"]), Run::plain(" words")]);
    assert_eq!(card.children[2].text(), "x Run y now");
    assert_eq!(child("<card><code>x</code></card>").children[0].id, "code-1");
    assert_eq!(child("<card>a <code id=\"k\">x</code></card>").children[1].id, "k");
    has_fault("<list>Words</list>", "list-1: holds no words");
    has_fault("<svg>Words</svg>", "svg-1: holds no words");
    has_fault("<card><em>a <pill>b</pill></em></card>", "card-1: <pill> may not stand in <em>, which holds words only");
}

#[test]
fn names_of_html_are_understood() {
    let tree = read("<page><h2>A</h2><p>B</p><div><ul><li>C</li></ul></div><hr/><small>D</small></page>");
    let names: Vec<&str> = tree.root.walk().map(Node::name).collect();
    assert_eq!(names, ["page", "headline", "text", "column", "list", "item", "rule", "caption"]);
    // The alias only applies if the vocabulary has the element.
    has_fault("<blockquote>A</blockquote>", "blockquote-1: <blockquote> is no element");
}

#[test]
fn ids_are_generated_in_document_order() {
    let ids = |text: &str| -> Vec<String> { read(text).root.walk().map(|n| n.id.clone()).collect() };
    let text = "<page><text id='text-2'>a</text><text>b</text><text id='x'>c</text>\
                <text>d</text><label id=''>e</label></page>";
    assert_eq!(ids(text), ["page", "text-2", "text-3", "x", "text-4", "label-1"]);
    assert_eq!(ids(&print(&read(text))), ids(text));
    let drawing = "<page><svg><rect/><g id='g'/></svg></page>";
    assert_eq!(ids(drawing), ["page", "svg-1", "", "g"]);
    has_fault("<text id='a b'>c</text>", "text-1: id=\"a b\" is no id");
    has_fault("<text id='a'>b</text><label id='a'>c</label>", "a: has an id that another element has too");
}

#[test]
fn all_faults_are_reported_at_once_in_document_order() {
    let text = "<page gap=\"wide\">
      <crad><text class=\"a\">One</text></crad>
      <column><headline size=\"gigantic\" colour=\"red\">Two</headline></column>
      <widget/><widget/>
      <headline><card/></headline>
    </page>";
    let faults = faults_of(text);
    let starts = [
        "page: gap=\"wide\" is no step",
        "crad-1: <crad> is no element; near it is <card>",
        "text-1: takes no attribute class; it takes size, id, when,",
        "headline-1: takes no attribute colour; it takes size,",
        "headline-1: size=\"gigantic\" is none of",
        "widget-1: <widget> is no element",
        "widget-2: <widget> is no element",
        "card-1: may not stand in <headline>, which holds words only",
    ];
    assert_eq!(faults.len(), starts.len(), "{faults:?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault} does not start with {start}");
    }
}

#[test]
fn what_may_not_stand_in_a_page_is_refused() {
    has_fault("<script>alert(1)</script>", "script-1: a script may not stand in a page");
    has_fault("<svg><script/></svg>", "a script may not stand in a page");
    has_fault("<svg><text>A</text></svg>", "text-1: text may not stand in an svg by itself");
    has_fault("<svg><image href='a.png'/></svg>", "an image may not stand in an svg");
    has_fault("<svg><foreignObject><p>A</p></foreignObject></svg>", "markup of another language");
    has_fault("<svg><filter id='f'/></svg>", "a filter may not stand in an svg");
    has_fault("<svg><rect xlink:href='#a'/></svg>", "rect: href refers to something else");
    has_fault("<card onclick='x()'>A</card>", "card-1: onclick is a script");
    has_fault("<text>see <a href='x'>here</a></text>", "a-1: a link may not stand in a page");
    has_fault("<text style='color:red'>a</text>", "takes no attribute style");
    has_fault("<text><em class='a'>b</em></text>", "text-1: <em> in its words takes no attribute class");
    has_fault("<svg><card/></svg>", "card-1: may not stand in <svg>");
    has_fault("<text>a</text><page/>", "page: has an id that another element has too");
    read("<page xmlns='http://www.w3.org/1999/xhtml'><svg xmlns:xlink='x' xmlns='http://www.w3.org/2000/svg'/></page>");
}

#[test]
fn text_that_is_not_well_formed_is_explained() {
    let fault = |text: &str| faults_of(text).remove(0);
    assert_eq!(fault("<page>\n <column>\n  a & b</card></page>"), "page: line 3, column 8: </card> closes <column>");
    assert_eq!(fault("<page><column>"), "page: the text ends before <column> is closed");
    assert_eq!(fault("<page></page>\n</card>"), "page: line 2, column 1: </card> closes nothing");
    assert_eq!(fault("<page gap=1 gap=2/>"), "page: line 1, column 13: the attribute gap is written twice");
    assert_eq!(
        fault("<page><text size='md/></page>"),
        "page: line 1, column 13: the value of size has no closing quote"
    );
    assert_eq!(fault("<page @on=\"1\"/>"), "page: line 1, column 7: @on is no name of an attribute");
    assert_eq!(fault("<page>\n<!-- a"), "page: line 2, column 1: the comment has no end");
    assert_eq!(
        fault("<!DOCTYPE html><page/>"),
        "page: line 1, column 1: a document type or entity may not stand in a page"
    );
    assert!(fault("<page><?php x ?></page>").contains("a processing instruction may not stand in a page"));
    assert_eq!(fault(""), "page: the text holds no <page>");
    assert_eq!(fault("<card/>"), "page: <card> stands outside <page>");
    assert_eq!(fault("Here: <page/>"), "page: words stand outside <page>");
    assert_eq!(fault("<page/><page/>"), "page: the text holds 2 pages; 1 may stand in it");
}

#[test]
fn what_models_write_is_tolerated() {
    let words = |text: &str| child(&format!("<text>{text}</text>")).text();
    assert_eq!(words("R&D & Q&A; &copy; &#8364;&#x41; &#0;&bogus; AT&amp;T"), "R&D & Q&A; © €A &bogus; AT&T");
    assert_eq!(words("1 < 2, 3<4, a <b, c <- d, <3 </ >"), "1 < 2, 3<4, a <b, c <- d, <3 </ >");
    assert_eq!(words("if a <b then"), "if a <b then");
    assert_eq!(words("<![CDATA[a <em> & &lt; b]]>"), "a <em> & &lt; b");
    assert_eq!(words("a\u{1}\u{fffe}b]]>c<!-- d -- e -->f"), "ab]]>cf");
    assert_eq!(words("a<BR>b"), "a\nb");
    let pill = child("<pill note='a < b & \"c\" &mdash;'>d</pill>");
    assert_eq!(pill.get("note"), Some("a < b & \"c\" —"));
    assert_eq!(child("<pill note=a/b>c</pill>").get("note"), Some("a/b"));
    assert_eq!(child("<pill note=a/>").get("note"), Some("a"));
    assert_eq!(child("<pill note=\"a\" <em>b</em></pill>").words, [marked("b", &["em"])]);
    assert_eq!(child("<text size=\"xl\"\">a</text>").get("size"), Some("xl"));
    assert_eq!(child("<text\n\tsize = md >a</text >").get("size"), Some("md"));
    for text in
        ["```xml\n<page/>\n```\n", "\u{feff}<?xml version=\"1.0\"?>\n<page/>", "```\n<?xml version='1.0'?><page/>"]
    {
        assert_eq!(read(text).root.id, "page");
    }
}

#[test]
fn several_pages_are_read_one_after_another() {
    let ids = |text: &str| -> Vec<String> {
        let pages = parse_all(text, &VOCABULARY).unwrap_or_else(|faults| panic!("{faults:?}"));
        pages.iter().flat_map(|t| t.root.walk().map(|n| n.id.clone())).collect()
    };
    assert_eq!(ids("<page><text/></page> <page id='end'><text/></page>"), ["page", "text-1", "end", "text-1"]);
    assert_eq!(ids("<pages>\n<page/>\n<page/>\n</pages>"), ["page", "page"]);
    let faults = parse_all("<page><a/></page><page gap='x'/>", &VOCABULARY).expect_err("two faults");
    let elements: Vec<&str> = faults.iter().map(|f| f.element.as_str()).collect();
    assert_eq!(elements, ["a-1", "page-2/page"]);
}

#[test]
fn limits_hold() {
    let faults = faults_of(&format!("<page>{}</page>", " ".repeat(MARKUP_BYTES)));
    assert!(faults.len() == 1 && faults[0].contains("bytes"), "{faults:?}");
    let deep = |depth: usize| format!("<page>{}{}</page>", "<card>".repeat(depth), "</card>".repeat(depth));
    read(&deep(PAGE_DEPTH - 1));
    let faults = faults_of(&deep(PAGE_DEPTH));
    assert!(faults.len() == 1 && faults[0].starts_with("card-15: holds elements 16 deep"), "{faults:?}");
    assert!(faults_of(&deep(64))[0].contains("elements stand more than 64 deep"));
    assert!(faults_of(&"<card>".repeat(40_000))[0].contains("elements stand more than 64 deep"));
    assert!(faults_of(&format!("<page>{}</page>", "<rule/>".repeat(30_000)))[0].contains("has too many elements"));
    let path = format!("<svg><path d=\"M0 0{}\"/></svg>", " ".repeat(DRAWING_BYTES));
    has_fault(&path, "svg-1: has 65563 bytes; 65536 are the most");
    let faults = faults_of(&format!("<page>{}</page>", "<rule a b/>".repeat(300)));
    assert!(faults.len() == PAGE_FAULTS && faults[49].contains("more faults"), "{faults:?}");
    let many: String = (0..70).map(|n| format!(" a{n}")).collect();
    has_fault(&format!("<rule{many}/>"), "more than 64 attributes");
}

/// Texts that a skilled attacker would send: each as long as a page may be.
#[test]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "<",
        "&",
        "<!--",
        "<![CDATA[",
        "<!DOCTYPE",
        "<?a",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a @ ",
        "<a b='<a c=\"",
        "</",
        "</a",
        "</a>",
        "<a>",
        "<a/>",
        "<a b c d e>",
        "<em>",
        "<br>",
        "&#",
        "&#1;",
        "&lt",
        "]]>",
        "'",
        "\"",
        "=",
        "/",
        "```",
        "\u{0}",
        "ä<ä",
        "<page>",
        "<page/>",
        "<svg><path/></svg>",
        "<x y='1'/>",
        "<text>a</text>",
        "words <em>a</em>",
    ];
    for piece in pieces {
        let repeated = piece.repeat((MARKUP_BYTES - 20) / piece.len());
        let _ = parse_all(&repeated, &VOCABULARY);
        let _ = parse(&format!("<page>{repeated}</page>"), &VOCABULARY);
        let _ = parse(&format!("<page {repeated}/>"), &VOCABULARY);
    }
    let names: String = (0..40_000).map(|n| format!(" a{n}")).collect();
    let _ = parse(&format!("<page{}/>", &names[..MARKUP_BYTES - 20]), &VOCABULARY);
}

#[test]
fn the_reference_names_everything() {
    let page = reference(&VOCABULARY, &[("A card", "<page/>\n")]);
    for element in VOCABULARY.0 {
        assert!(page.contains(element.name), "{} is missing", element.name);
    }
    for attribute in COMMON {
        let line = page.lines().find(|l| l.starts_with(&format!("- {}", attribute.name))).expect(attribute.name);
        assert!(!line.ends_with(": "), "{} has no meaning", attribute.name);
    }
    assert!(page.contains("- page+(gap:space=3 ground:colour): an element."), "{page}");
    assert!(page.contains("- column+(gap=3): an element."), "{page}");
    assert!(page.contains("- item*(mark:flag=false): an element. Holds pill, list."), "{page}");
    assert!(page.contains("- label*: an element."), "{page}");
    assert!(page.contains("with the attributes that SVG gives them of `"), "{page}");
    assert!(page.ends_with("\n### A card\n\n```xml\n<page/>\n```\n"), "{page}");
    assert!(!reference(&VOCABULARY, &[]).contains("Examples"));
}

#[test]
fn the_values_of_the_reference_can_be_read() {
    use crate::tree::{read_anchor, read_colour, read_fit, read_length, read_shapes, read_sides, read_space};
    let words =
        ["bg", "surface", "ink", "ink2", "line", "accent", "accent-ink", "on-accent", "tint", "field", "on-field"];
    assert!(words.iter().chain(&["data1", "data6", "#0a7d4f"]).all(|w| read_colour(w).is_ok()));
    let steps = ["xs", "sm", "md", "lg", "xl", "2xl", "3xl", "hero", "giant", "md..hero"];
    assert!(steps.iter().all(|w| read_fit(w).is_ok()));
    assert!(read_shapes("tall upright square wide strip").is_ok());
    assert!(["top left", "bottom", "center", "across", "down", "fill"].iter().all(|w| read_anchor(w).is_ok()));
    assert!(read_sides("top right bottom left").is_ok() && read_sides("all").is_ok() && read_sides("none").is_ok());
    assert!(read_space("9").is_ok() && read_space("96du").is_ok() && read_length("40%").is_ok());
}
