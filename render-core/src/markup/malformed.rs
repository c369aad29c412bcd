//! Errors of the XML parser, in plain words.

use roxmltree::{Error, TextPos};

use super::tolerant::{Repaired, place};
use super::{OUTERMOST, shortened};
use crate::tree::Fault;

/// Returns the fault of a text that is not well-formed.
pub(super) fn explain(error: &Error, repaired: &Repaired, source: &str) -> Fault {
    let here = |message: String| {
        let at = repaired.source(offset(&repaired.text, error.pos()));
        format!("{}: {message}", place(source, at))
    };
    let message = match error {
        Error::UnexpectedCloseTag(open, close, _) if close == OUTERMOST => {
            format!("the text ends before <{}> is closed", shortened(open))
        }
        Error::UnexpectedCloseTag(open, close, _) if open == OUTERMOST => {
            here(format!("</{}> closes nothing", shortened(close)))
        }
        Error::UnexpectedCloseTag(open, close, _) => {
            here(format!("</{}> closes <{}>", shortened(close), shortened(open)))
        }
        Error::DuplicatedAttribute(name, _) => here(format!("the attribute {} is written twice", shortened(name))),
        Error::InvalidName(_) => here("this is no name of an element".to_owned()),
        Error::NodesLimitReached => "has too many elements".to_owned(),
        Error::NoRootNode | Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            "the text ends within an element".to_owned()
        }
        _ => here("this is not well-formed".to_owned()),
    };
    Fault::new("page", message)
}

/// Returns the byte offset of a line and a column, both counted from 1.
fn offset(text: &str, pos: TextPos) -> usize {
    let (row, column) = (pos.row as usize, pos.col as usize);
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.clone().take(row.saturating_sub(1)).map(str::len).sum();
    let line = lines.nth(row.saturating_sub(1)).unwrap_or_default();
    before + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at)
}
