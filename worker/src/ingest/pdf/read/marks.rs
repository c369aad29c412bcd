//! Tracks the marked content that glyphs belong to.

use hayro_interpret::hayro_syntax::page::Page;

use super::forms;
use super::tags::{Place, Places};

/// Limit of marks per page.
const MARKS: usize = 1 << 20;

/// How a glyph is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Not marked, or with a number that the tags don't contain.
    None,
    /// As an artifact: part of the page rather than of the text.
    Artifact,
    /// As content with a position in the document's order.
    Content(Place),
}

/// The marks of a page in drawing order, each with a number; 0 means none.
#[derive(Debug, Default)]
pub struct Marks {
    /// Indexed by their number minus one.
    met: Vec<Met>,
    /// The open marked content.
    frames: Vec<Frame>,
    /// The open clips, and whether each is the bounds of a form.
    clips: Vec<bool>,
    /// The open forms: their number in drawing order, from 1, and how many frames were open before each.
    open: Vec<(usize, usize)>,
    /// Forms so far, and the forms of the page without its annotations.
    forms: usize,
    of_page: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Met {
    Artifact,
    Content {
        /// The number of the form that contains it; 0 for the page itself.
        form: usize,
        id: u32,
        /// The number of the enclosing mark.
        around: usize,
    },
}

#[derive(Debug)]
struct Frame {
    /// The number of the mark that applies within.
    mark: usize,
    /// The replacement text, and whether a glyph has consumed it.
    actual: Option<(String, bool)>,
}

impl Marks {
    /// Starts marked content.
    pub fn begin(&mut self, is_artifact: bool, id: Option<u32>, actual: Option<String>) {
        let around = self.current();
        let form = self.open.last().map_or(0, |(form, _)| *form);
        let met = if is_artifact { Some(Met::Artifact) } else { id.map(|id| Met::Content { form, id, around }) };
        self.met.extend(met.filter(|_| self.met.len() < MARKS));
        let mark = if met.is_some() { self.met.len() } else { around };
        self.frames.push(Frame { mark, actual: actual.map(|text| (text, false)) });
    }

    /// Ends marked content. A form can't end content that began outside of it.
    pub fn end(&mut self) {
        if self.frames.len() > self.open.last().map_or(0, |(_, frames)| *frames) {
            self.frames.pop();
        }
    }

    /// Starts a clip, which is a form if `is_form`.
    pub fn clip(&mut self, is_form: bool) {
        self.clips.push(is_form);
        if is_form {
            self.forms += 1;
            self.open.push((self.forms, self.frames.len()));
        }
    }

    /// Ends the last clip and, if it is a form, everything that the form left open.
    pub fn unclip(&mut self) {
        if self.clips.pop() == Some(true)
            && let Some((_, frames)) = self.open.pop()
        {
            self.frames.truncate(frames);
        }
    }

    /// Ends the page and everything that it left open; its annotations follow.
    pub fn end_page(&mut self) {
        self.frames.clear();
        self.clips.clear();
        self.open.clear();
        self.of_page.get_or_insert(self.forms);
    }

    /// Returns the number of the current mark.
    pub fn current(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.mark)
    }

    /// Returns the replacement text of the current content, and whether a glyph has consumed it.
    pub fn actual(&mut self) -> Option<&mut (String, bool)> {
        self.frames.iter_mut().find_map(|frame| frame.actual.as_mut())
    }

    /// Returns the marks by their numbers. Content without a position has that of its enclosing mark.
    pub fn placed(&self, page: &Page<'_>, places: &Places) -> Vec<Mark> {
        let names_forms = places.keys().any(|(form, _)| form.is_some());
        let forms = if names_forms { forms::drawn(page) } else { Vec::new() };
        // If some forms are hidden, the rest can't be matched.
        let forms = if Some(forms.len()) == self.of_page { forms } else { Vec::new() };
        let mut marks = vec![Mark::None];
        for met in &self.met {
            marks.push(match *met {
                Met::Artifact => Mark::Artifact,
                Met::Content { form, id, around } => {
                    let form = form.checked_sub(1).map(|n| forms.get(n).copied());
                    let place = match form {
                        None => places.get(&(None, id)),
                        Some(known) => known.and_then(|form| places.get(&(Some(form), id))),
                    };
                    place.map_or(marks[around], |place| Mark::Content(*place))
                }
            });
        }
        marks
    }
}
