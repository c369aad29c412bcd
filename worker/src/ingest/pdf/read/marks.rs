//! What marked content says of the glyphs within it.

use hayro_interpret::hayro_syntax::page::Page;

use super::forms;
use super::tags::{Place, Places};

/// Marks of a page that are told apart.
const MARKS: usize = 1 << 20;

/// How a glyph is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Not at all, or with a number that no tags know.
    None,
    /// As a part of the page rather than of the text.
    Artifact,
    /// As what has a place in the order of the document.
    Content(Place),
}

/// The marks of a page as it is drawn, each with a number; 0 is none.
#[derive(Debug, Default)]
pub struct Marks {
    /// By their numbers less one.
    met: Vec<Met>,
    /// The marked content that is open.
    frames: Vec<Frame>,
    /// What is clipped to, and whether it is the bounds of a form.
    clips: Vec<bool>,
    /// The forms that are open, by their number in the order in which the page draws them, from 1, and how many frames were
    /// open before each.
    open: Vec<(usize, usize)>,
    /// Forms so far, and those of the page without its annotations.
    forms: usize,
    of_page: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Met {
    Artifact,
    Content {
        /// The number of the form that it stands in; 0 for the page itself.
        form: usize,
        id: u32,
        /// The number of the mark around it.
        around: usize,
    },
}

#[derive(Debug)]
struct Frame {
    /// The number of the mark that counts within.
    mark: usize,
    /// What is to be read instead, and whether a glyph has it already.
    actual: Option<(String, bool)>,
}

impl Marks {
    /// Marked content begins.
    pub fn begin(&mut self, is_artifact: bool, id: Option<u32>, actual: Option<String>) {
        let around = self.current();
        let form = self.open.last().map_or(0, |(form, _)| *form);
        let met = if is_artifact { Some(Met::Artifact) } else { id.map(|id| Met::Content { form, id, around }) };
        self.met.extend(met.filter(|_| self.met.len() < MARKS));
        let mark = if met.is_some() { self.met.len() } else { around };
        self.frames.push(Frame { mark, actual: actual.map(|text| (text, false)) });
    }

    /// Marked content ends: no form ends what began outside of it.
    pub fn end(&mut self) {
        if self.frames.len() > self.open.last().map_or(0, |(_, frames)| *frames) {
            self.frames.pop();
        }
    }

    /// A form begins where `is_form`, else another clip.
    pub fn clip(&mut self, is_form: bool) {
        self.clips.push(is_form);
        if is_form {
            self.forms += 1;
            self.open.push((self.forms, self.frames.len()));
        }
    }

    /// What was clipped to last ends, and with a form all that it left open.
    pub fn unclip(&mut self) {
        if self.clips.pop() == Some(true)
            && let Some((_, frames)) = self.open.pop()
        {
            self.frames.truncate(frames);
        }
    }

    /// The page ends, and with it all that it left open; its annotations follow.
    pub fn end_page(&mut self) {
        self.frames.clear();
        self.clips.clear();
        self.open.clear();
        self.of_page.get_or_insert(self.forms);
    }

    /// The number of the mark of what is drawn now.
    pub fn current(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.mark)
    }

    /// What is to be read instead of what is drawn now, and whether a glyph has it already.
    pub fn actual(&mut self) -> Option<&mut (String, bool)> {
        self.frames.iter_mut().find_map(|frame| frame.actual.as_mut())
    }

    /// The marks by their numbers. What has no place of its own has that of what is around it.
    pub fn placed(&self, page: &Page<'_>, places: &Places) -> Vec<Mark> {
        let names_forms = places.keys().any(|(form, _)| form.is_some());
        let forms = if names_forms { forms::drawn(page) } else { Vec::new() };
        // Where some are hidden, nothing says which.
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
