//! announcement, event and offer: a hero and the facts beside or under it. An event's hero is its date, an offer's its
//! figure, an announcement's its title; a code is a ticket, and what to do now stands at the foot.

use std::ops::Range;

use super::super::column::{Column, Stack};
use super::super::figure::Figure;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Set, Setter, Spec};
use super::day::{self, Day};
use super::facts::{self, Facts};
use super::ticket::{self, Ticket};
use super::{art, art_on_clear_sides, art_top, call, on_one_line};
use crate::art::Scale;
use crate::design::{Archetype, SlotId, Voice};
use crate::scene::{Rect, TextLevel};

/// What stands over the title, larger than it.
enum Hero<'a> {
    Figure(Box<Figure<'a>>),
    Day(Box<Day<'a>>),
}

impl<'a> Hero<'a> {
    fn size(&self) -> (f32, f32) {
        match self {
            Self::Figure(figure) => (figure.width, figure.height),
            Self::Day(day) => (day.width, day.height),
        }
    }

    fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        match self {
            Self::Figure(figure) => figure.place(setter, x, y),
            Self::Day(day) => day.place(setter, x, y),
        }
    }
}

/// What a page says, sorted by where it stands.
struct Notice {
    date: Option<(u8, Range<usize>)>,
    code: Option<u8>,
    facts: Vec<u8>,
}

impl Notice {
    fn of(setter: &Setter<'_>) -> Self {
        let count = setter.page.item_count().min(crate::limits::PAGE_ITEMS) as u8;
        let date = if setter.page.archetype == Archetype::Event { day::find(setter) } else { None };
        let is_code = |n: &u8| setter.text(SlotId::ItemHead(*n)).is_some_and(ticket::is_code);
        let code = (0..count).find(is_code).filter(|_| setter.page.archetype == Archetype::Offer);
        let elsewhere = |n: &u8| code == Some(*n) || date.as_ref().is_some_and(|(date, _)| date == n);
        Self { facts: (0..count).filter(|n| !elsewhere(n)).collect(), date, code }
    }

    fn hero<'a>(&self, setter: &Setter<'a>, width: f32, height: f32) -> Option<Hero<'a>> {
        if setter.page.archetype == Archetype::Offer && !setter.value.text.is_empty() {
            return Some(Hero::Figure(Box::new(Figure::hero(setter, width, height))));
        }
        let (n, at) = self.date.clone()?;
        Day::fit(setter, n, at, width, height).map(Box::new).map(Hero::Day)
    }

    /// The facts that stand in the list; the date too, where it can't be the hero.
    fn listed(&self, has_hero: bool) -> Vec<u8> {
        let mut all = self.facts.clone();
        if let Some((n, _)) = self.date.as_ref().filter(|_| !has_hero) {
            all.push(*n);
            all.sort_unstable();
        }
        all
    }
}

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let notice = Notice::of(setter);
    setter.first_fit(&[1.0, 0.8, 0.6], |setter, air| match Frame::shape_of(&area) {
        Shape::Tall | Shape::Upright => upright(setter, area, &notice, *air),
        Shape::Wide => wide(setter, area, &notice, *air),
        Shape::Strip => strip(setter, area, &notice, *air),
    });
}

/// Title, and the sentence under it.
fn column<'a>(setter: &Setter<'a>, most: f32, lines: usize) -> Column<'a> {
    let (frame, palette) = (setter.frame, &setter.page.palette);
    let b = frame.body.max(0.9 * frame.lead);
    let title = setter.text(SlotId::Title).unwrap_or_default();
    let range = (1.2 * frame.lead, most * frame.lead);
    let body = setter.text(SlotId::Body).map(|text| {
        let range = (frame.body_floor, frame.body_floor.max(1.12 * b));
        Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, palette.ink2, range).lines(4)
    });
    Column::default()
        .text(0.0, Spec::new(SlotId::Title, title, Voice::Display, TextLevel::Hero, palette.ink, range).lines(lines))
        .maybe(1.5 * b, body)
}

fn ticket<'a>(setter: &Setter<'a>, notice: &Notice, width: f32) -> Option<Ticket<'a>> {
    let size = 1.8 * setter.frame.body.max(0.9 * setter.frame.lead);
    Ticket::of(setter, notice.code?, width, size)
}

/// With so much of the air that a notice would like to have; the others likewise.
fn upright(setter: &mut Setter<'_>, area: Rect, notice: &Notice, air: f32) {
    let (size, k) = (setter.frame.size, air * setter.frame.k);
    let cta = call(setter).map(|spec| on_one_line(setter, spec, area.w()));
    let foot = cta.as_ref().map_or(0.0, |c| c.depth() + 84.0 * k);
    let offered = setter.page.archetype == Archetype::Offer;
    let hero = notice.hero(setter, area.w(), if offered { 0.31 } else { 0.26 } * air * area.h());
    let ticket = ticket(setter, notice, area.w());
    let items = notice.listed(hero.is_some());
    let over = hero.as_ref().map_or(0.0, |h| h.size().1 + 96.0 * k);
    let under = ticket.as_ref().map_or(0.0, |t| t.size.1 + 60.0 * k);
    // The facts come first, in a size that can be read; the title grows into what they leave.
    let share = if hero.is_some() { 0.36 } else { 0.4 } * area.h();
    let facts = facts::solve(setter, &items, (area.w(), share - foot), 1);
    let listed = if facts.is_empty() { 0.0 } else { facts.height + 84.0 * k };
    let most = air * if hero.is_some() { 2.8 } else { 5.0 };
    let stack = column(setter, most, 5).solve(setter, area.w(), area.h() - foot - over - under - listed);
    let free = (area.h() - foot - over - under - listed - stack.depth).max(0.0);
    // Of what is left the facts take the larger part.
    let facts = facts.grown(0.6 * free);
    let mut y = area.y0 + (0.08 * free).min(40.0 * k);
    if let Some(hero) = &hero {
        hero.place(setter, area.x0, y);
        y += over;
    }
    stack.place(setter, area.x0, y);
    y += stack.depth;
    if let Some(ticket) = &ticket {
        ticket.place(setter, area.x0, y + 60.0 * k);
        y += under;
    }
    let top = area.y1 - foot - facts.height;
    facts.place(setter, area.x0, top);
    if let Some(cta) = &cta {
        setter.place(cta, area.x0, area.y1 - cta.depth());
    }
    let end = if facts.is_empty() { area.y1 - foot } else { top };
    let between = Rect::new(0.4 * size.w, y + 72.0 * k, size.w, end - 72.0 * k);
    if !art_on_clear_sides(setter, Scale::Accent) {
        art(setter, between, Scale::Accent);
    }
}

fn wide(setter: &mut Setter<'_>, area: Rect, notice: &Notice, air: f32) {
    let k = air * setter.frame.k;
    let gutter = 88.0 * k;
    let bare = notice.facts.is_empty() && notice.date.is_none() && notice.code.is_none();
    let left = if bare { area.w() } else { 0.58 * area.w() };
    let (x, width) = (area.x0 + left + gutter, area.w() - left - gutter);
    let hero = notice.hero(setter, left, 0.37 * air * area.h());
    let cta = call(setter).map(|spec| on_one_line(setter, spec, left));
    let foot = cta.as_ref().map_or(0.0, |c| c.depth() + 60.0 * k);
    let over = hero.as_ref().map_or(0.0, |h| h.size().1 + 92.0 * k);
    let ticket = ticket(setter, notice, width);
    let tall = ticket.as_ref().map_or(0.0, |t| t.size.1 + 56.0 * k);
    let items = notice.listed(hero.is_some());
    let facts = facts::solve(setter, &items, (width, area.h() - tall), 1);
    let most = air * if hero.is_some() { 2.4 } else { 4.2 };
    let stack = column(setter, most, 5).solve(setter, left, area.h() - foot - over);
    if let Some(hero) = &hero {
        hero.place(setter, area.x0, area.y0);
    }
    stack.place(setter, area.x0, area.y0 + over);
    if let Some(cta) = &cta {
        setter.place(cta, area.x0, area.y1 - cta.depth());
    }
    // Facts end where the call does; a ticket stands over them.
    let mut y = area.y1 - facts.height;
    facts.place(setter, x, y);
    if let Some(ticket) = &ticket {
        y = if facts.is_empty() { area.y1 - ticket.size.1 } else { y - tall };
        ticket.place(setter, x, y);
    }
    let top = art_top(setter, &area);
    if !art_on_clear_sides(setter, Scale::Accent) && !bare {
        art(setter, Rect::new(x, top, setter.frame.size.w, y - 64.0 * k), Scale::Accent);
    }
}

/// What stands at the right of a strip.
struct Aside<'a> {
    ticket: Option<Ticket<'a>>,
    facts: Facts<'a>,
    cta: Option<Set<'a>>,
    gap: f32,
}

impl<'a> Aside<'a> {
    fn height(&self) -> f32 {
        let parts = [
            self.ticket.as_ref().map(|t| t.size.1),
            (!self.facts.is_empty()).then_some(self.facts.height),
            self.cta.as_ref().map(Set::depth),
        ];
        let count = parts.iter().flatten().count();
        parts.iter().flatten().sum::<f32>() + self.gap * count.saturating_sub(1) as f32
    }

    fn place(&self, setter: &mut Setter<'a>, x: f32, mut y: f32) {
        if let Some(ticket) = &self.ticket {
            ticket.place(setter, x, y);
            y += ticket.size.1 + self.gap;
        }
        if !self.facts.is_empty() {
            self.facts.place(setter, x, y);
            y += self.facts.height + self.gap;
        }
        if let Some(cta) = &self.cta {
            setter.place(cta, x, y);
        }
    }
}

fn strip(setter: &mut Setter<'_>, area: Rect, notice: &Notice, air: f32) {
    let k = air * setter.frame.k;
    let gutter = 64.0 * k;
    let hero = notice.hero(setter, (0.2 + 0.1 * air) * area.w(), 0.6 * air * area.h());
    let left = hero.as_ref().map_or(0.0, |h| h.size().0 + gutter);
    let items = notice.listed(hero.is_some());
    let aside = !items.is_empty() || notice.code.is_some();
    let right = if aside { 0.32 * area.w() } else { 0.0 };
    let middle = area.w() - left - if aside { right + gutter } else { 0.0 };
    // What to do now stands under the facts, or under the title where there are none.
    let own = call(setter).map(|spec| on_one_line(setter, spec, if aside { right } else { middle }));
    let (below, beside) = if aside { (None, own) } else { (own, None) };
    let gap = 46.0 * k;
    let foot = below.as_ref().map_or(0.0, |c| c.depth() + gap);
    let stack: Stack<'_> = column(setter, 2.8, 4).solve(setter, middle, area.h() - foot);
    let y = area.y0 + 0.5 * (area.h() - stack.depth - foot).max(0.0);
    if let Some(hero) = &hero {
        hero.place(setter, area.x0, area.y0 + 0.5 * (area.h() - hero.size().1));
    }
    stack.place(setter, area.x0 + left, y);
    if let Some(cta) = &below {
        setter.place(cta, area.x0 + left, y + stack.depth + gap);
    }
    if aside {
        let ticket = ticket(setter, notice, right);
        let taken = ticket.as_ref().map_or(0.0, |t| t.size.1 + gap) + beside.as_ref().map_or(0.0, |c| c.depth() + gap);
        let facts = facts::solve(setter, &items, (right, area.h() - taken), 1);
        let aside = Aside { ticket, facts, cta: beside, gap };
        let y = area.y0 + 0.5 * (area.h() - aside.height()).max(0.0);
        aside.place(setter, area.x1 - right, y);
    }
    art_on_clear_sides(setter, Scale::Accent);
}
