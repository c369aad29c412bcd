//! The page as it stands after the ops that are read already.

use crate::design::{LogoLook, Page, Part, SlotId, Stand, Theme, Which};
use crate::icon::Icon;
use crate::scene::Color;

use super::super::{Hue, ItemWords, Op, Target};

/// What a clause is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Subject {
    /// Texts.
    Text(Which),
    /// A colour of the page.
    Hue(Hue),
    /// An item, with all that belongs to it.
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

/// The page, what was read of the prompt so far, and what the last clause was about.
#[derive(Debug, Clone)]
pub(super) struct State<'t, 'a> {
    /// The page.
    pub(super) target: &'t Target<'a>,
    /// The ops so far.
    pub(super) ops: Vec<Op>,
    /// What the reader should know.
    pub(super) notes: Vec<String>,
    /// What the last clause was about.
    pub(super) about: Vec<Subject>,
    /// Whether the last clause ended in text without quotation marks.
    pub(super) open: bool,
    /// Whether all slides are meant.
    pub(super) everywhere: bool,
    /// Why the first clause that can't be done can't be.
    pub(super) cannot: Option<String>,
    /// Whether what can't be read is left out.
    pub(super) partial: bool,
    /// Whether every word must be made use of.
    pub(super) strict: bool,
    /// Whether a correction was read, which is certain of its place.
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

    /// The words of a slot.
    pub(super) fn text(&self, slot: SlotId) -> Option<String> {
        let set = self.last(|op| match op {
            Op::Words { slot: of, to } if *of == slot => Some(to.clone()),
            _ => None,
        });
        set.or_else(|| self.target.text(slot).map(str::to_owned)).filter(|t| !t.is_empty())
    }

    /// The slots with words, in reading order.
    pub(super) fn slots(&self) -> Vec<(SlotId, String)> {
        self.page().slots.iter().filter_map(|s| Some((s.id, self.text(s.id)?))).collect()
    }

    /// The heads of the page's items, as it stands before any op.
    pub(super) fn heads(&self) -> Vec<&'a str> {
        let page = self.page();
        let n = u8::try_from(page.item_count()).unwrap_or(u8::MAX);
        (0..n).filter_map(|i| page.text(SlotId::ItemHead(i))).collect()
    }

    /// The items, in order.
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

    /// Where an item of the page stands after the ops so far: people count what they see.
    pub(super) fn now_at(&self, item: u8) -> Option<usize> {
        let head = self.text(SlotId::ItemHead(item))?;
        self.items().iter().position(|i| i.head == head)
    }

    /// The place of an item of the page after the ops so far, as ops name it.
    pub(super) fn here(&self, item: u8) -> Option<u8> {
        u8::try_from(self.now_at(item)?).ok()
    }

    /// The size that texts have.
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

    /// The icons of the items.
    pub(super) fn icons(&self) -> Vec<Option<Icon>> {
        let set = self.last(|op| if let Op::Icons(icons) = op { Some(icons.clone()) } else { None });
        let of_page = || {
            let page = self.page();
            (0..page.item_count()).map(|i| page.items.get(i).and_then(|d| d.icon)).collect()
        };
        set.unwrap_or_else(of_page)
    }

    /// How the logo stands.
    pub(super) fn logo(&self) -> LogoLook {
        let set = self.last(|op| match *op {
            Op::Logo { shown, place, percent } => Some(LogoLook { shown, place, percent }),
            _ => None,
        });
        set.unwrap_or(self.page().adjust.logo)
    }

    /// How the photograph is seen; `None` where there is none.
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

    /// Which of the style's schemes the colours are from, from 0, and how many there are.
    pub(super) fn scheme(&self) -> (u8, u8) {
        let n = Theme::of(self.page().style).schemes.len().max(1);
        let set = self.last(|op| if let Op::Scheme(n) = op { Some(n.saturating_sub(1)) } else { None });
        let of_seed = u8::try_from(self.page().seed % n as u64).unwrap_or(0);
        (set.or(self.page().adjust.scheme).unwrap_or(of_seed), u8::try_from(n).unwrap_or(u8::MAX))
    }

    /// Whether the page shows a part.
    pub(super) fn has(&self, part: Part) -> bool {
        match part {
            Part::Counter => self.page().slide.is_some(),
            _ => self.slots().iter().any(|(s, _)| Part::of(*s) == Some(part)),
        }
    }

    /// The part that "the text" is: what supports the headline, else the sentences of the items, else their heads.
    pub(super) fn text_part(&self) -> Part {
        [Part::Supporting, Part::Details, Part::Points].into_iter().find(|p| self.has(*p)).unwrap_or(Part::Headline)
    }

    /// The texts of the page, the large ones first.
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

    /// Takes an op, in place of one that it makes void.
    pub(super) fn push(&mut self, op: Op) {
        if let Some(key) = op.key() {
            self.ops.retain(|o| o.key().as_ref() != Some(&key));
        }
        self.ops.push(op);
    }
}
