//! Marks words of an element.

use crate::tree::{Marks, Node, Run};

/// How words are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Marking {
    /// In a heavier weight.
    Bold,
    /// With a line under them.
    Underlined,
    /// With a line through them.
    Struck,
    /// On a background colour.
    Highlighted,
    /// Without any mark.
    Plain,
}

impl Marking {
    /// All markings.
    pub(super) const ALL: [Self; 5] = [Self::Bold, Self::Underlined, Self::Struck, Self::Highlighted, Self::Plain];

    /// Returns its name in instructions.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bold => "bold",
            Self::Underlined => "underlined",
            Self::Struck => "struck out",
            Self::Highlighted => "highlighted",
            Self::Plain => "plain",
        }
    }
}

/// Marks `words` in an element, or all its words if `words` is empty. Returns whether the element contains them.
pub(super) fn mark(node: &mut Node, words: &str, how: Marking) -> bool {
    let text: String = node.words.iter().map(|run| run.text.as_str()).collect();
    let range = match words {
        "" => (!text.is_empty()).then_some(0..text.len()),
        words => text.find(words).map(|at| at..at + words.len()),
    };
    let Some(range) = range else { return false };
    let mut out: Vec<Run> = Vec::new();
    let mut at = 0;
    for run in std::mem::take(&mut node.words) {
        let end = at + run.text.len();
        let cut = |byte: usize| byte.clamp(at, end) - at;
        let (from, to) = (cut(range.start), cut(range.end));
        for (part, inside) in [(0..from, false), (from..to, true), (to..run.text.len(), false)] {
            // `get` can't fail: `str::find` returns character boundaries.
            let Some(text) = run.text.get(part).filter(|text| !text.is_empty()) else { continue };
            let marks = if inside { with(run.marks, how) } else { run.marks };
            match out.last_mut().filter(|last| last.marks == marks) {
                Some(last) => last.text.push_str(text),
                None => out.push(Run { text: text.to_owned(), marks }),
            }
        }
        at = end;
    }
    node.words = out;
    true
}

fn with(marks: Marks, how: Marking) -> Marks {
    match how {
        Marking::Bold => Marks { strong: true, ..marks },
        Marking::Underlined => Marks { u: true, ..marks },
        Marking::Struck => Marks { del: true, ..marks },
        Marking::Highlighted => Marks { mark: true, ..marks },
        Marking::Plain => Marks::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::VOCABULARY;
    use crate::markup;

    #[test]
    fn words_are_marked_across_marks_and_freed_of_them() {
        let page = "<page><headline id=\"title\">Plan <em>less and</em> ship more</headline></page>";
        let marked = |words: &str, how| {
            let mut tree = markup::parse(page, &VOCABULARY).expect("the page is in the language");
            let node = tree.find_mut("title").expect("the headline");
            mark(node, words, how).then(|| {
                let run = |run: &Run| format!("{}[{}]", run.text, run.marks.names().collect::<Vec<_>>().join(" "));
                node.words.iter().map(run).collect::<Vec<_>>().join("|")
            })
        };
        assert_eq!(
            marked("and ship", Marking::Underlined).as_deref(),
            Some("Plan []|less [em]|and[em u]| ship[u]| more[]")
        );
        assert_eq!(marked("", Marking::Plain).as_deref(), Some("Plan less and ship more[]"));
        assert_eq!(marked("less", Marking::Bold).as_deref(), Some("Plan []|less[em strong]| and[em]| ship more[]"));
        assert_eq!(marked("nothing", Marking::Struck), None);
    }
}
