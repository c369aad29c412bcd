//! [`Words`]: collects the words of one element and collapses their white space.

use super::is_blank;
use crate::tree::{Marks, Run};

/// The words of an element so far. Spaces and line breaks are held back until a word follows, so that none remains at
/// the end.
#[derive(Debug, Default)]
pub(super) struct Words {
    runs: Vec<Run>,
    space: Option<Marks>,
    breaks: Vec<Marks>,
}

impl Words {
    /// Returns whether there is no word yet.
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds text.
    pub(super) fn text(&mut self, text: &str, marks: Marks) {
        for c in text.chars() {
            if is_blank(c) {
                self.space(marks);
            } else {
                self.settle();
                self.push(c, marks);
            }
        }
    }

    /// Adds white space.
    pub(super) fn space(&mut self, marks: Marks) {
        if !self.is_empty() {
            self.space.get_or_insert(marks);
        }
    }

    /// Adds a forced line break.
    pub(super) fn line_break(&mut self, marks: Marks) {
        if !self.is_empty() {
            self.breaks.push(marks);
        }
    }

    /// Returns the runs: neighbours have different marks, and none is empty.
    pub(super) fn finish(self) -> Vec<Run> {
        self.runs
    }

    /// Adds what is held back before a word: line breaks, or else a space.
    fn settle(&mut self) {
        let space = self.space.take();
        let breaks = std::mem::take(&mut self.breaks);
        if breaks.is_empty()
            && let Some(marks) = space
        {
            self.push(' ', marks);
        }
        for marks in breaks {
            self.push('\n', marks);
        }
    }

    fn push(&mut self, c: char, marks: Marks) {
        match self.runs.last_mut() {
            Some(run) if run.marks == marks => run.text.push(c),
            _ => self.runs.push(Run { text: c.into(), marks }),
        }
    }
}
