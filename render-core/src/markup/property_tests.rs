//! Properties of parsing and printing, over random trees and texts.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;

use super::parse_tests::{VOCABULARY, read};
use super::*;
use crate::limits::PAGE_FAULTS;
use crate::tree::{Kind, Marks, Node, Run, Tree};

fn marks() -> impl Strategy<Value = Marks> {
    let bits = prop_oneof![2 => Just([false; 7]), 3 => any::<[bool; 7]>()];
    bits.prop_map(|[em, strong, mark, del, u, sup, code]| Marks { em, strong, mark, del, u, sup, code })
}

/// Generates words in parsed form: no white space at the ends, none doubled, neighbours with different marks.
fn words() -> impl Strategy<Value = Vec<Run>> {
    let special =
        select(vec!["&", "<", ">", "&amp;", "\"", "'", "\u{a0}", "]]>", "<!--", "&#9;", "a<b", "<em>", "é", "🙂"]);
    let word = prop_oneof![special.prop_map(str::to_owned), "[^ \t\n\r\u{0}-\u{1f}\u{fffe}\u{ffff}]{1,5}"];
    let gap = select(vec!["", " ", " ", " ", "\n", "\n\n"]);
    vec((word, marks(), gap, marks()), 0..6).prop_map(|parts| {
        let mut runs: Vec<Run> = Vec::new();
        let mut push = |text: &str, marks| match runs.last_mut() {
            Some(run) if run.marks == marks => run.text.push_str(text),
            _ if text.is_empty() => {}
            _ => runs.push(Run { text: text.to_owned(), marks }),
        };
        let last = parts.len().saturating_sub(1);
        for (i, (word, marks, gap, between)) in parts.iter().enumerate() {
            push(word, *marks);
            push(if i < last { gap } else { "" }, *between);
        }
        runs
    })
}

/// Generates a valid value for an attribute of this kind.
fn value(kind: Kind) -> BoxedStrategy<String> {
    let any_of = |values: &[&str]| select(values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>()).boxed();
    match kind {
        Kind::Words => "[^\u{0}-\u{8}\u{b}\u{c}\u{e}-\u{1f}\u{fffe}\u{ffff}]{0,8}".boxed(),
        Kind::Space => any_of(&["0", "9", "96du", " 3 "]),
        Kind::Fit => any_of(&["md..hero", "xs"]),
        Kind::Paint => any_of(&["none", "accent", "#0a7d4f"]),
        Kind::Colour => any_of(&["accent", "#fff"]),
        Kind::Flag => any_of(&["", "true", "no"]),
        Kind::Choice(words) => any_of(words),
        Kind::Numbers => any_of(&["0 0 100 100", "1,2;3"]),
        Kind::Transform => any_of(&["rotate(45)", "translate(1 2) scale(2)"]),
        Kind::Path => any_of(&["M0 0L1 1Z", "M 1,2 C 3 4 5 6 7 8"]),
        Kind::Shapes => any_of(&["tall", "wide strip"]),
        Kind::Length => any_of(&["40%", "3"]),
        Kind::Anchor => any_of(&["top left", "fill"]),
        Kind::Whole(..) | Kind::Number(..) => any_of(&["1"]),
        _ => any_of(&[]),
    }
}

/// Generates an element with some of its attributes, but without an id and content.
fn bare(name: &'static str) -> BoxedStrategy<Node> {
    let element = VOCABULARY.find(name).expect(name);
    let has_value = |a: &&Attribute| !matches!(a.kind, Kind::Id);
    let attribute =
        |a: &'static Attribute| proptest::option::weighted(0.3, value(a.kind)).prop_map(move |v| (a.name, v));
    let attributes: Vec<_> = declared(element).filter(has_value).map(attribute).collect();
    let set = |list: Vec<(&'static str, Option<String>)>| list.into_iter().filter_map(|(n, v)| Some((n, v?))).collect();
    attributes.prop_map(move |list| Node { attributes: set(list), ..Node::new(element, "") }).boxed()
}

fn holding(
    names: &[&'static str],
    words: impl Strategy<Value = Vec<Run>> + 'static,
    inside: impl Strategy<Value = Node> + 'static,
) -> BoxedStrategy<Node> {
    let element = Union::new(names.iter().map(|name| bare(name)));
    let parts = (element, words, vec(inside, 0..4));
    parts.prop_map(|(node, words, children)| Node { words, children, ..node }).boxed()
}

fn tree() -> impl Strategy<Value = Tree> {
    let nothing = || vec(marks(), 0).prop_map(|_| Vec::new());
    let worded = |names: &[&'static str]| {
        (Union::new(names.iter().map(|n| bare(n))), words()).prop_map(|(node, words)| Node { words, ..node })
    };
    let pills = || worded(&["pill"]);
    let list = holding(&["list"], nothing(), holding(&["item"], words(), pills()));
    let nested = holding(&["list"], nothing(), holding(&["item"], words(), list.clone()));
    let shape = Union::new(["rect", "circle", "path"].map(bare));
    let drawing = holding(&["svg"], nothing(), holding(&["g"], nothing(), shape));
    let leaf = prop_oneof![
        6 => worded(&["headline", "text", "label", "caption", "code", "pill"]),
        1 => bare("rule"), 1 => list, 1 => nested, 1 => drawing
    ];
    let inside = leaf.prop_recursive(3, 24, 4, move |inner| holding(&["column", "card"], nothing(), inner));
    holding(&["page"], nothing(), inside).prop_map(|mut root| {
        name(&mut root, &mut 0);
        Tree { root }
    })
}

/// Sets ids of elements, some of which look generated for another place, and of some shapes.
fn name(node: &mut Node, count: &mut usize) {
    *count += 1;
    let is_shape = node.element.group == Group::Shapes;
    node.id = match *count % 3 {
        0 if is_shape => String::new(),
        1 => format!("text-{count}"),
        _ => format!("{}_{count}.a", node.name()),
    };
    node.children.iter_mut().for_each(|child| name(child, count));
}

/// Generates pieces of markup in any order.
fn jumble() -> impl Strategy<Value = String> {
    let pieces = vec![
        "<page>",
        "</page>",
        "<card>",
        "</card>",
        "<card gap=3",
        "<text>",
        "</text>",
        "<list>",
        "</list>",
        "<item mark>",
        "</item>",
        "<em>",
        "</em>",
        "<b ",
        "<br>",
        "<code>",
        "</code>",
        "<svg>",
        "</svg>",
        "<rect/>",
        "<g fill=\"none\">",
        "</g>",
        ">",
        "/>",
        " ",
        "\n",
        "words",
        " and ",
        "&",
        "&nbsp;",
        "&#10;",
        "<",
        "\"",
        "'",
        "=",
        "id='a'",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "é",
        "\u{1}",
    ];
    vec(prop_oneof![9 => select(pieces).prop_map(str::to_owned), 1 => "\\PC{0,3}"], 0..24)
        .prop_map(|pieces| pieces.concat())
}

/// Generates elements that are closed in order, with any content allowed in words.
fn loose() -> impl Strategy<Value = String> {
    let pieces = vec![
        " ",
        "\n",
        "a",
        "b c",
        "&",
        "&nbsp;",
        "&#10;",
        "<br>",
        "<rule/>",
        "<",
        "\"",
        "<!-- x -->",
        "<![CDATA[<]]>",
        "é",
    ];
    let leaf = vec(select(pieces), 0..4).prop_map(|pieces| pieces.concat());
    let tags = vec!["card", "text", "p", "em", "b", "code", "sup", "div", "pill", "headline", "ul"];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let element = (select(tags.clone()), inner).prop_map(|(tag, inner)| match tag {
            "ul" => format!("<ul><li>{inner}</li></ul>"),
            tag => format!("<{tag}>{inner}</{tag}>"),
        });
        vec(element, 1..4).prop_map(|elements| elements.join(" "))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn reading_what_is_printed_gives_the_same_tree(tree in tree()) {
        prop_assume!(tree.check().is_empty());
        let printed = print(&tree);
        prop_assert_eq!(parse(&printed, &VOCABULARY), Ok(tree), "{}", printed);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), jumble in jumble(), loose in loose()) {
        for text in [text, jumble.clone(), format!("<page>{jumble}</page>"), format!("<page>{loose}</page>")] {
            match parse(&text, &VOCABULARY) {
                Ok(tree) => prop_assert_eq!(parse(&print(&tree), &VOCABULARY), Ok(tree)),
                Err(faults) => prop_assert!(!faults.is_empty() && faults.len() <= PAGE_FAULTS),
            }
        }
    }

    #[test]
    fn printed_words_gain_and_lose_no_space(text in "[ \t\n\r\u{a0}a-c&<>]{0,24}", marks in marks()) {
        let mut tree = read("<page><text/></page>");
        tree.root.children[0].words = vec![Run::plain("x"), Run { text: text.clone(), marks }, Run::plain("y")];
        let read = read(&print(&tree)).root.children.remove(0).text();
        let joined = |line: &str| line.split([' ', '\t', '\r']).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
        let wanted: Vec<String> = text.split('\n').map(joined).collect();
        let edge = |text: Option<char>| if text.is_some_and(is_blank) { " " } else { "" };
        let inner = wanted.join("\n");
        let start = if inner.starts_with('\n') { "" } else { edge(text.chars().next()) };
        let end = if inner.ends_with('\n') { "" } else { edge(text.chars().last()) };
        let wanted = if inner.is_empty() { format!("x{start}y") } else { format!("x{start}{inner}{end}y") };
        prop_assert_eq!(read, wanted);
    }
}
