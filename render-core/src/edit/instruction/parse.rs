//! Parses clauses into ops. The cursor consumes the text from left to right; an error quotes the text where it stopped.

use crate::design::stored::family_name;
use crate::design::{Crop, LogoPlace, Part, Recipe, SlotId, Stand, Style, Template, Which};
use crate::elements::VOCABULARY;
use crate::icon::Icon;
use crate::scene::Color;
use crate::text::{Align, Family};

use super::super::{Beside, Elements, Ground, Hue, ItemWords, Marking, Op, Reshape};
use super::print::{align, ground_name, place_name};
use super::{Instruction, MalformedInstruction, Reach};

type Parsed<T> = Result<T, MalformedInstruction>;

/// The most characters of the unparsed text in an error.
const SHOWN: usize = 60;
/// A brand's own families.
const OWN: [Family; 2] = [Family::OwnHeading, Family::OwnBody];
/// The most clauses of an instruction, and the most size clauses among them.
const CLAUSES: usize = 40;
const SIZES: usize = 12;
/// The most items or slides in one instruction. No page has as many.
const MOST: usize = 200;

pub(super) fn instruction(text: &str) -> Parsed<Instruction> {
    let mut at = Cursor { rest: text.trim() };
    let reach = if at.takes("On all slides, versions ") {
        let mut versions = vec![at.number()?];
        while at.takes(", ") && versions.len() < MOST {
            versions.push(at.number()?);
        }
        Reach::All(versions)
    } else {
        at.must("On version ")?;
        Reach::One(at.number()?)
    };
    at.must(": ")?;
    Ok(Instruction { reach, ops: ops(at)? })
}

pub(super) fn clauses(text: &str) -> Parsed<Vec<Op>> {
    ops(Cursor { rest: text.trim().trim_end_matches(['.', ';']) })
}

fn ops(mut at: Cursor<'_>) -> Parsed<Vec<Op>> {
    let mut ops = Vec::new();
    loop {
        let stuck = at.stuck();
        let op = at.clause()?;
        // Each property may be set once, and size clauses are limited because fitting a size is slow.
        let sizes = ops.iter().filter(|op| matches!(op, Op::Size { .. })).count();
        let too_many = sizes >= SIZES && matches!(op, Op::Size { .. }) || ops.len() >= CLAUSES;
        if too_many || op.key().is_some_and(|key| ops.iter().any(|said: &Op| said.key().as_ref() == Some(&key))) {
            return Err(stuck);
        }
        ops.push(op);
        at.was();
        if at.rest.is_empty() {
            return Ok(ops);
        }
        at.must("; ")?;
    }
}

struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn takes(&mut self, words: &str) -> bool {
        let rest = self.rest.strip_prefix(words);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn must(&mut self, words: &str) -> Parsed<()> {
        if self.takes(words) { Ok(()) } else { Err(self.stuck()) }
    }

    fn stuck(&self) -> MalformedInstruction {
        MalformedInstruction { at: self.rest.chars().take(SHOWN).collect() }
    }

    /// Consumes the name of one of `all`, preferring the longest match.
    fn one_of<T: Copy>(&mut self, all: impl IntoIterator<Item = T>, name: impl Fn(T) -> String) -> Parsed<T> {
        let named = all.into_iter().map(|t| (t, name(t))).filter(|(_, name)| self.rest.starts_with(name.as_str()));
        let Some((found, name)) = named.max_by_key(|(_, name)| name.len()) else { return Err(self.stuck()) };
        self.must(&name)?;
        Ok(found)
    }

    fn digits<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest.get(..end).and_then(|d| d.parse().ok()).ok_or_else(|| self.stuck())?;
        self.rest = self.rest.get(end..).unwrap_or_default();
        Ok(number)
    }

    fn number(&mut self) -> Parsed<u32> {
        self.digits()
    }

    /// Parses a number within limits, both included.
    fn within(&mut self, least: u16, most: u16) -> Parsed<u16> {
        let before = self.stuck();
        let number = self.digits()?;
        if (least..=most).contains(&number) { Ok(number) } else { Err(before) }
    }

    /// Parses a place counted from 1 and returns it counted from 0.
    fn place(&mut self) -> Parsed<u8> {
        let before = self.stuck();
        let n: u8 = self.digits()?;
        n.checked_sub(1).ok_or(before)
    }

    fn quoted(&mut self) -> Parsed<String> {
        let stuck = self.stuck();
        self.must("“")?;
        let mut out = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '”' => {
                    self.rest = self.rest.get(at + c.len_utf8()..).unwrap_or_default();
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, escaped @ ('“' | '”' | '\\'))) => out.push(escaped),
                    _ => return Err(stuck),
                },
                other => out.push(other),
            }
        }
        Err(stuck)
    }

    fn quotations(&mut self) -> Parsed<Vec<String>> {
        let mut all = vec![self.quoted()?];
        while self.takes(", ") && all.len() < MOST {
            all.push(self.quoted()?);
        }
        Ok(all)
    }

    fn colour(&mut self) -> Parsed<Color> {
        let stuck = self.stuck();
        let hex = self.rest.get(..7).ok_or_else(|| self.stuck())?;
        let color = Color::parse(hex).ok_or(stuck)?;
        self.rest = self.rest.get(7..).unwrap_or_default();
        Ok(color)
    }

    /// Skips the " (was …)" after a clause.
    fn was(&mut self) {
        let Some(mut rest) = self.rest.strip_prefix(" (was ") else { return };
        let mut depth = 1_u32;
        let mut quoted = false;
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '“' => quoted = true,
                '”' => quoted = false,
                '(' if !quoted => depth += 1,
                ')' if !quoted => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                rest = rest.get(at + 1..).unwrap_or_default();
                self.rest = rest;
                return;
            }
        }
    }

    /// Parses a slot with an optional article.
    fn named_slot(&mut self) -> Parsed<SlotId> {
        self.takes("the ");
        self.slot()
    }

    /// Parses a slot by its [`Which`] name.
    fn slot(&mut self) -> Parsed<SlotId> {
        if self.takes("point ") {
            return Ok(SlotId::ItemHead(self.place()?));
        }
        if self.takes("detail ") {
            return Ok(SlotId::ItemBody(self.place()?));
        }
        if self.takes("label ") {
            return Ok(SlotId::ItemLabel(self.place()?));
        }
        if self.takes("column ") {
            return Ok(SlotId::Group(self.place()?));
        }
        if self.takes("cell ") {
            let cell = self.place()?;
            self.must(" of point ")?;
            return Ok(SlotId::Cell(self.place()?, cell));
        }
        let single = [
            SlotId::Brand,
            SlotId::Kicker,
            SlotId::Title,
            SlotId::Body,
            SlotId::Note,
            SlotId::Value,
            SlotId::Unit,
            SlotId::Number,
            SlotId::Attribution,
            SlotId::Cta,
            SlotId::Handle,
            SlotId::Counter,
        ];
        self.one_of(single, |slot| Which::One(slot).to_string())
    }

    /// Parses a part or a single text of it. A part with a single slot has the same name as the slot; the result is the
    /// part.
    fn which(&mut self) -> Parsed<Which> {
        self.takes("the ");
        let rest = self.rest;
        match self.slot() {
            Ok(slot) if !is_alone(slot) => return Ok(Which::One(slot)),
            _ => self.rest = rest,
        }
        self.part().map(Which::All)
    }

    fn part(&mut self) -> Parsed<Part> {
        self.one_of(Part::ALL, |part| part.name().to_owned())
    }

    fn clause(&mut self) -> Parsed<Op> {
        if self.takes("set the ") {
            return self.setting();
        }
        if self.takes("set ") {
            return self.words();
        }
        if self.takes("remove ") {
            return Ok(match () {
                () if self.takes("the art") => Op::Art { recipe: None, variant: 1 },
                () if self.takes("the photo") => Op::Photo { shown: false, crop: Crop::Cover, focus: (50, 50), dim: 0 },
                () if self.takes("the logo") => Op::Logo { shown: false, place: LogoPlace::HeadStart, percent: 100 },
                () => Op::Words { slot: self.named_slot()?, to: String::new() },
            });
        }
        if self.takes("replace ") {
            let from = self.quoted()?;
            self.must(" by ")?;
            return Ok(Op::Replace { from, to: self.quoted()? });
        }
        if self.takes("emphasise nothing in ") {
            return Ok(Op::Stress { slot: self.named_slot()?, words: Vec::new() });
        }
        if self.takes("emphasise ") {
            let words = self.quotations()?;
            self.must(" in ")?;
            return Ok(Op::Stress { slot: self.named_slot()?, words });
        }
        if self.takes("align the text to the ") {
            return self.one_of([Align::Start, Align::Center, Align::End], |a| align(a).to_owned()).map(Op::Align);
        }
        if self.takes("stand the text in the middle") {
            return Ok(Op::Stand(Stand::Middle));
        }
        if self.takes("stand the text at the ") {
            return self.one_of([Stand::Top, Stand::Bottom], |s| s.name().to_owned()).map(Op::Stand);
        }
        if self.takes("highlight no point") {
            return Ok(Op::Highlight(None));
        }
        if self.takes("highlight point ") {
            return Ok(Op::Highlight(Some(self.place()?)));
        }
        if self.takes("show the photo ") {
            return Ok(Op::Picture { url: self.quoted()?, key: self.key()? });
        }
        if self.takes("show the page number") {
            return Ok(Op::Counter(true));
        }
        if self.takes("hide the page number") {
            return Ok(Op::Counter(false));
        }
        if self.takes("show the drawing ") {
            return self.quoted().map(Op::Drawing);
        }
        for begins in ["give ", "take away ", "put ", "move ", "mark "] {
            if self.rest.starts_with(begins) {
                return self.reshape().map(Op::Element);
            }
        }
        if self.takes("compose the page as ") {
            return self.quoted().map(Op::Page);
        }
        Err(self.stuck())
    }

    /// Parses a change to elements.
    fn reshape(&mut self) -> Parsed<Reshape> {
        if self.takes("give ") {
            let to = self.elements()?;
            self.must(" the ")?;
            let stuck = self.stuck();
            let end = self.rest.find(' ').unwrap_or(self.rest.len());
            let name = self.rest.get(..end).unwrap_or_default().to_owned();
            if !VOCABULARY.0.iter().any(|element| element.attribute(&name).is_some()) {
                return Err(stuck);
            }
            self.rest = self.rest.get(end..).unwrap_or_default();
            self.must(" ")?;
            return Ok(Reshape::Give { to, name, value: self.quoted()? });
        }
        if self.takes("take away ") {
            return self.elements().map(Reshape::Take);
        }
        if self.takes("mark ") {
            let words = if self.takes("all of element ") {
                String::new()
            } else {
                let words = self.quoted()?;
                self.must(" in element ")?;
                words
            };
            let of = self.quoted()?;
            self.must(" as ")?;
            let how = self.one_of(Marking::ALL, |how| how.name().to_owned())?;
            return Ok(Reshape::Mark { words, how, of });
        }
        let puts = self.takes("put ");
        if !puts {
            self.must("move element ")?;
        }
        let element = self.quoted()?;
        self.must(" ")?;
        let place = self.one_of(Beside::ALL, |place| place.name().to_owned())?;
        self.must(" element ")?;
        let of = self.quoted()?;
        Ok(if puts { Reshape::Put { element, place, of } } else { Reshape::Move { element, place, of } })
    }

    /// Parses a selection of elements.
    fn elements(&mut self) -> Parsed<Elements> {
        if self.takes("element ") {
            return self.quoted().map(Elements::One);
        }
        self.must("every ")?;
        let named = self.one_of(VOCABULARY.0.iter().copied(), |element| element.name.to_owned())?;
        Ok(Elements::Every(named.name.to_owned()))
    }

    /// Parses what follows "set the".
    fn setting(&mut self) -> Parsed<Op> {
        if self.takes("points to none") {
            return Ok(Op::Items(Vec::new()));
        }
        if self.takes("points to ") {
            return self.items().map(Op::Items);
        }
        if self.takes("size of ") {
            let which = self.which()?;
            self.must(" to ")?;
            return Ok(Op::Size { which, to: self.within(4, 2_000)? });
        }
        if self.takes("colour of ") {
            let which = self.which()?;
            self.must(" to ")?;
            return Ok(Op::Ink { which, to: self.colour()? });
        }
        if self.takes("style to ") {
            return self.one_of(Style::all(), |s| s.name().to_owned()).map(Op::Style);
        }
        if self.takes("colour scheme to ") {
            return Ok(Op::Scheme(self.within(1, 99)? as u8));
        }
        if self.takes("ground to ") {
            let all = [Ground::Own, Ground::Accent, Ground::Close];
            return self.one_of(all, |g| ground_name(g).to_owned()).map(Op::Ground);
        }
        if self.takes("art to ") {
            let recipe = self.one_of(Recipe::ALL, |r| r.name().to_owned())?;
            self.must(" ")?;
            return Ok(Op::Art { recipe: Some(recipe), variant: self.within(1, 255)? as u8 });
        }
        if self.takes("icons to ") {
            return self.icons().map(Op::Icons);
        }
        if self.takes("photo to ") {
            return self.photo();
        }
        if self.takes("logo to ") {
            let percent = self.within(40, 400)?;
            self.must(" percent at the ")?;
            let place = self.one_of(LogoPlace::ALL, |p| place_name(p).to_owned())?;
            return Ok(Op::Logo { shown: true, place, percent });
        }
        if self.takes("layout to ") {
            return self.one_of(Template::all(), |a| a.name().to_owned()).map(Op::Layout);
        }
        if self.takes("spacing to ") {
            let percent = self.within(50, 200)?;
            self.must(" percent")?;
            return Ok(Op::Space(percent));
        }
        for (display, name) in [(true, "headline face to "), (false, "text face to ")] {
            if self.takes(name) {
                let stuck = self.stuck();
                let name = self.quoted()?;
                // Interned names of added families are never freed, so only known names are accepted.
                let known = Family::known(&name).or_else(|| OWN.into_iter().find(|f| family_name(*f) == name));
                return Ok(Op::Face { display, to: known.ok_or(stuck)? });
            }
        }
        for hue in Hue::ALL {
            if self.takes(&format!("{} colour to ", hue.name())) {
                return Ok(Op::Colour { hue, to: self.colour()? });
            }
        }
        let rest = self.rest;
        if let Ok(part) = self.part() {
            if self.takes(" size to ") {
                return Ok(Op::Size { which: Which::All(part), to: self.within(4, 2_000)? });
            }
            if self.takes(" weight to ") {
                return Ok(Op::Weight { part, to: self.within(100, 900)? });
            }
        }
        self.rest = rest;
        self.words()
    }

    /// Parses a slot and its new text.
    fn words(&mut self) -> Parsed<Op> {
        let slot = self.slot()?;
        self.must(" to ")?;
        let stuck = self.stuck();
        let to = self.quoted()?;
        if to.is_empty() { Err(stuck) } else { Ok(Op::Words { slot, to }) }
    }

    fn items(&mut self) -> Parsed<Vec<ItemWords>> {
        let mut items = Vec::new();
        loop {
            let head = self.quoted()?;
            let body = if self.takes(" with ") { Some(self.quoted()?) } else { None };
            items.push(ItemWords { head, body });
            if items.len() >= MOST || !self.takes(", ") {
                return Ok(items);
            }
        }
    }

    fn icons(&mut self) -> Parsed<Vec<Option<Icon>>> {
        let mut icons = Vec::new();
        loop {
            let end = self.rest.find([',', ';', ' ']).unwrap_or(self.rest.len());
            let name = self.rest.get(..end).unwrap_or_default();
            icons.push(match name {
                "none" => None,
                name => Some(Icon::by_name(name).ok_or_else(|| self.stuck())?),
            });
            self.rest = self.rest.get(end..).unwrap_or_default();
            if icons.len() >= MOST || !self.takes(", ") {
                return Ok(icons);
            }
        }
    }

    /// Parses the optional key of a photograph's stored file.
    fn key(&mut self) -> Parsed<Option<String>> {
        if !self.takes(" with sha256 ") {
            return Ok(None);
        }
        let stuck = self.stuck();
        let is_key = |k: &&str| k.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let key = self.rest.get(..64).filter(is_key).ok_or(stuck)?.to_owned();
        self.rest = self.rest.get(64..).unwrap_or_default();
        Ok(Some(key))
    }

    fn photo(&mut self) -> Parsed<Op> {
        let crop = if self.takes("filling") {
            Crop::Cover
        } else {
            self.must("whole")?;
            Crop::Whole
        };
        self.must(", focused at ")?;
        let x = self.within(0, 100)? as u8;
        self.must(" ")?;
        let focus = (x, self.within(0, 100)? as u8);
        self.must(", dimmed by ")?;
        Ok(Op::Photo { shown: true, crop, focus, dim: self.within(0, 90)? as u8 })
    }
}

/// Returns whether a slot has the same name as its part.
pub(super) fn is_alone(slot: SlotId) -> bool {
    Part::of(slot).is_some_and(|part| Which::One(slot).to_string() == part.name())
}
