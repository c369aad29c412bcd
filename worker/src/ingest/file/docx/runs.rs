//! The words of a paragraph. Deleted and hidden text and field codes are skipped.

use super::styles::{Emphasis, Styles};
use crate::ingest::file::blocks::{Line, Style};
use crate::ingest::file::xml::Element;

/// Elements whose text is not part of the document's words.
pub(super) const UNREAD: [&str; 9] =
    ["del", "moveFrom", "pPr", "rPr", "rt", "Fallback", "sdtPr", "sdtEndPr", "instrText"];
/// Elements that hold runs.
const HOLDERS: [&str; 14] = [
    "hyperlink",
    "ins",
    "moveTo",
    "smartTag",
    "sdt",
    "sdtContent",
    "customXml",
    "fldSimple",
    "ruby",
    "rubyBase",
    "dir",
    "bdo",
    "AlternateContent",
    "Choice",
];

/// Reads the words of one paragraph.
pub(super) struct Runs<'a> {
    styles: &'a Styles,
    /// The emphasis of the paragraph's style.
    emphasis: Emphasis,
    pub line: Line,
    /// Contents of text boxes, in order.
    pub boxes: Vec<&'a Element>,
}

impl<'a> Runs<'a> {
    pub fn new(styles: &'a Styles, emphasis: Emphasis) -> Self {
        Self { styles, emphasis, line: Line::default(), boxes: Vec::new() }
    }

    /// Reads the contents of `holder`. The depth of the tree bounds the recursion.
    pub fn take(&mut self, holder: &'a Element) {
        for element in holder.children() {
            match &*element.name {
                "r" => self.run(element),
                "oMath" | "oMathPara" => self.formula(element),
                name if HOLDERS.contains(&name) => self.take(element),
                _ => {}
            }
        }
    }

    fn run(&mut self, run: &'a Element) {
        let own = run.child("rPr");
        let named = own.and_then(|p| p.child("rStyle")).and_then(|e| e.attr("val"));
        let emphasis = Emphasis::of(own).over(self.styles.resolve(named).emphasis).over(self.emphasis);
        if emphasis.hidden == Some(true) || emphasis.struck == Some(true) {
            return;
        }
        let style = Style { bold: emphasis.bold == Some(true), italic: emphasis.italic == Some(true) };
        self.content(run, style);
    }

    fn content(&mut self, run: &'a Element, style: Style) {
        for element in run.children() {
            match &*element.name {
                "t" => self.line.push(&element.text(), style),
                "tab" | "ptab" => self.line.push(" ", style),
                "br" | "cr" => self.line.push("\n", style),
                "noBreakHyphen" => self.line.push("\u{2011}", style),
                "ruby" | "rubyBase" => self.take(element),
                "AlternateContent" | "Choice" => self.content(element, style),
                "drawing" | "pict" | "object" => self.boxes.extend(element.find("txbxContent")),
                _ => {}
            }
        }
    }

    /// Appends the text of a formula.
    fn formula(&mut self, formula: &Element) {
        let mut open: Vec<&Element> = vec![formula];
        while let Some(element) = open.pop() {
            if &*element.name == "t" {
                self.line.push(&element.text(), Style::default());
            }
            let deeper = open.len();
            open.extend(element.children());
            open[deeper..].reverse();
        }
    }
}
