//! The state of the page after the ops that were read so far.

use crate::design::{LogoLook, Page, Part, SlotId, Stand, Theme, Which};
use crate::icon::Icon;
use crate::scene::Color;

use super::super::{Elements, Hue, ItemWords, Op, Reshape, Target};

/// A subject of a clause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Subject {
    /// Texts.
    Text(Which),
    /// A colour of the page.
    Hue(Hue),
    /// An item with its label, sentence, figures and icon.
    Item(u8),
    /// The icons.
    Icons,
    /// The photograph.
    Photo,
    /// The art.
    Art,
    /// The logo.
    Logo,
    /// The chart.
    Chart,
    /// The page.
    Page,
}

/// The page, what was read of the prompt so far, and the subjects of the last clause.
#[derive(Debug, Clone)]
pub(super) struct State<'t, 'a> {
    /// The page.
    pub(super) target: &'t Target<'a>,
    /// The ops so far.
    pub(super) ops: Vec<Op>,
    /// Notes for the user.
    pub(super) notes: Vec<String>,
    /// The subjects of the last clause.
    pub(super) about: Vec<Subject>,
    /// Whether the last clause ended in text without quotation marks.
    pub(super) open: bool,
    /// Whether the prompt is about all slides.
    pub(super) everywhere: bool,
    /// Why the first impossible clause can't be applied.
    pub(super) cannot: Option<String>,
    /// Whether unreadable parts of the prompt were skipped.
    pub(super) partial: bool,
    /// Whether rules must use every word of a clause.
    pub(super) strict: bool,
    /// Whether a rule found on the page the words that it changes, so that the clause is certainly about this page.
    pub(super) certain: bool,
}

impl<'t, 'a> State<'t, 'a> {
    pub(super) fn new(target: &'t Target<'a>) -> Self {
        Self {
            target,
            ops: Vec::new(),
            notes: Vec::new(),
            about: Vec::new(),
            open: false,
            everywhere: false,
            cannot: None,
            partial: false,
            strict: false,
            certain: false,
        }
    }

    pub(super) fn page(&self) -> &'a Page {
        self.target.page
    }

    fn last<T>(&self, pick: impl Fn(&Op) -> Option<T>) -> Option<T> {
        self.ops.iter().rev().find_map(pick)
    }

    /// Returns the text of a slot.
    pub(super) fn text(&self, slot: SlotId) -> Option<String> {
        let id = slot.to_string();
        let taken = |op: &Op| matches!(op, Op::Element(Reshape::Take(Elements::One(of))) if *of == id);
        if self.ops.iter().any(taken) {
            return None;
        }
        let set = self.last(|op| match op {
            Op::Words { slot: of, to } if *of == slot => Some(to.clone()),
            _ => None,
        });
        set.or_else(|| self.target.text(slot).map(str::to_owned)).filter(|t| !t.is_empty())
    }

    /// Returns the slots with words, in reading order.
    pub(super) fn slots(&self) -> Vec<(SlotId, String)> {
        self.page().slots.iter().filter_map(|s| Some((s.id, self.text(s.id)?))).collect()
    }

    /// Returns the heads of the page's items before any op.
    pub(super) fn heads(&self) -> Vec<&'a str> {
        let page = self.page();
        let n = u8::try_from(page.item_count()).unwrap_or(u8::MAX);
        (0..n).filter_map(|i| page.text(SlotId::ItemHead(i))).collect()
    }

    /// Returns the items, in order.
    pub(super) fn items(&self) -> Vec<ItemWords> {
        let set = self.last(|op| match op {
            Op::Items(items) => Some(items.clone()),
            _ => None,
        });
        let of_page = || {
            let n = u8::try_from(self.heads().len()).unwrap_or(u8::MAX);
            let head = |i| self.text(SlotId::ItemHead(i)).unwrap_or_default();
            (0..n).map(|i| ItemWords { head: head(i), body: None }).collect()
        };
        set.unwrap_or_else(of_page)
    }

    /// Returns the position of an item after the ops so far. Prompts count the items of the page before any op.
    pub(super) fn now_at(&self, item: u8) -> Option<usize> {
        let head = self.text(SlotId::ItemHead(item))?;
        self.items().iter().position(|i| i.head == head)
    }

    /// Returns the same position in the type that ops use.
    pub(super) fn here(&self, item: u8) -> Option<u8> {
        u8::try_from(self.now_at(item)?).ok()
    }

    /// Returns the size of some texts.
    pub(super) fn size(&self, which: Which) -> Option<f32> {
        let set = self.last(|op| match op {
            Op::Size { which: of, to } if *of == which => Some(f32::from(*to)),
            _ => None,
        });
        set.or_else(|| self.target.size(which))
    }

    pub(super) fn weight(&self, part: Part) -> Option<u16> {
        let set = self.last(|op| match op {
            Op::Weight { part: of, to } if *of == part => Some(*to),
            _ => None,
        });
        set.or_else(|| self.target.weight(part))
    }

    pub(super) fn colour(&self, hue: Hue) -> Color {
        let set = self.last(|op| match op {
            Op::Colour { hue: of, to } if *of == hue => Some(*to),
            _ => None,
        });
        set.unwrap_or_else(|| self.target.colour(hue))
    }

    pub(super) fn ink(&self, which: Which) -> Option<Color> {
        let set = self.last(|op| match op {
            Op::Ink { which: of, to } if *of == which => Some(*to),
            _ => None,
        });
        set.or_else(|| self.target.ink(which))
    }

    pub(super) fn stand(&self) -> Option<Stand> {
        self.last(|op| if let Op::Stand(to) = op { Some(*to) } else { None }).or(self.page().adjust.stand)
    }

    pub(super) fn space(&self) -> u16 {
        self.last(|op| if let Op::Space(n) = op { Some(*n) } else { None }).unwrap_or(self.page().adjust.space)
    }

    /// Returns the icons of the items.
    pub(super) fn icons(&self) -> Vec<Option<Icon>> {
        let set = self.last(|op| if let Op::Icons(icons) = op { Some(icons.clone()) } else { None });
        let of_page = || {
            let page = self.page();
            (0..page.item_count()).map(|i| page.items.get(i).and_then(|d| d.icon)).collect()
        };
        set.unwrap_or_else(of_page)
    }

    /// Returns the logo's visibility, place and size.
    pub(super) fn logo(&self) -> LogoLook {
        let set = self.last(|op| match *op {
            Op::Logo { shown, place, percent } => Some(LogoLook { shown, place, percent }),
            _ => None,
        });
        set.unwrap_or(self.page().adjust.logo)
    }

    /// Returns the visibility and framing of the photograph, or `None` if the page has none.
    pub(super) fn photo(&self) -> Option<Op> {
        let set = self.last(|op| matches!(op, Op::Photo { .. }).then(|| op.clone()));
        let photo = self.page().photo.as_ref()?;
        let hundredths = |v: f32| (v.clamp(0.0, 1.0) * 100.0).round() as u8;
        Some(set.unwrap_or(Op::Photo {
            shown: true,
            crop: photo.crop,
            focus: (hundredths(photo.focus.x), hundredths(photo.focus.y)),
            dim: self.page().adjust.dim,
        }))
    }

    /// Returns the colour scheme in use, counted from 0, and the number of the style's schemes.
    pub(super) fn scheme(&self) -> (u8, u8) {
        let n = Theme::of(self.page().style).schemes.len().max(1);
        let set = self.last(|op| if let Op::Scheme(n) = op { Some(n.saturating_sub(1)) } else { None });
        let of_seed = u8::try_from(self.page().seed % n as u64).unwrap_or(0);
        (set.or(self.page().adjust.scheme).unwrap_or(of_seed), u8::try_from(n).unwrap_or(u8::MAX))
    }

    /// Returns whether the page shows a part.
    pub(super) fn has(&self, part: Part) -> bool {
        match part {
            Part::Counter => self.page().slide.is_some(),
            _ => self.slots().iter().any(|(s, _)| Part::of(*s) == Some(part)),
        }
    }

    /// Returns the part that "the text" means: the supporting text, else the items' sentences, else their heads, else
    /// the headline.
    pub(super) fn text_part(&self) -> Part {
        [Part::Supporting, Part::Details, Part::Points].into_iter().find(|p| self.has(*p)).unwrap_or(Part::Headline)
    }

    /// Returns the text parts of the page, large ones first.
    pub(super) fn texts(&self) -> Vec<Part> {
        let parts = [
            Part::Headline,
            Part::Figure,
            Part::Supporting,
            Part::Points,
            Part::Details,
            Part::Labels,
            Part::Attribution,
            Part::Button,
            Part::Kicker,
            Part::Footer,
        ];
        parts.into_iter().filter(|p| self.has(*p)).collect()
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Adds an op and removes an earlier op with the same key.
    pub(super) fn push(&mut self, op: Op) {
        if let Some(key) = op.key() {
            self.ops.retain(|o| o.key().as_ref() != Some(&key));
        }
        self.ops.push(op);
    }
}
