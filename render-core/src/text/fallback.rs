//! Fallback: which face each character is set in.

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::character::{is_breaking_space, is_invisible, is_newline};
use super::emoji::{Emoji, EmojiId};
use super::faces::{FaceId, Fonts};
use super::family::SIGNS;
use super::locale::{Han, Locale};
use super::script::{is_cjk, is_general, is_han_punctuation, is_neutral, scripts};

/// A character, the face that it is set in and the script that it is shaped by.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    /// Its byte in the text.
    pub at: usize,
    pub c: char,
    pub face: FaceId,
    pub script: Script,
    /// The picture that stands for it and for the characters behind it that belong to the picture.
    pub emoji: Option<EmojiId>,
}

/// Of so many words one that its face lacks letters of is set apart; where they are more, the whole text changes face.
const APART: usize = 4;

/// What becomes of full-width Latin letters and figures (Ａ１).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FullWidth {
    /// They are set as the ASCII characters that they stand for: in lines.
    Folded,
    /// They stay as wide as a Han character: in columns, where they stand upright.
    Kept,
}

impl FullWidth {
    /// The character that `c` is set as. A tab is a space: a paragraph has no tab stops.
    fn set(self, c: char) -> char {
        match c {
            '\t' => ' ',
            _ if self == Self::Folded && is_wide_alphanumeric(c) => folded(c),
            _ => c,
        }
    }
}

/// Whether `c` is a full-width Latin letter or figure.
pub(super) fn is_wide_alphanumeric(c: char) -> bool {
    matches!(c, 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '０'..='９')
}

/// The ASCII character that a full-width form stands for (U+FF01 to U+FF5E).
fn folded(c: char) -> char {
    const OFFSET: u32 = '！' as u32 - '!' as u32;
    u32::from(c).checked_sub(OFFSET).and_then(char::from_u32).unwrap_or(c)
}

/// Chooses a face for each character and leaves out what no face has; gives the characters and the face of the body. A
/// word stands in one face where one has all of it, a grapheme always.
pub(super) fn place(
    fonts: &Fonts,
    text: &str,
    primary: FaceId,
    locale: &Locale,
    full_width: FullWidth,
    missing: &mut Vec<char>,
) -> (Vec<Placed>, FaceId) {
    let plain = |(at, c): (usize, char)| {
        let covered = c.is_whitespace() || (!is_invisible(c) && fonts.covers(primary, full_width.set(c)));
        covered && Emoji::longest(&text[at..]).is_none()
    };
    let scripts = scripts(text);
    if text.char_indices().all(plain) {
        let chars = text.char_indices().zip(scripts);
        let plain = |((at, c), script)| Placed { at, c: full_width.set(c), face: primary, script, emoji: None };
        return (chars.map(plain).collect(), primary);
    }
    let primary = body(fonts, text, primary);
    let mut chains = Chains::new(fonts, primary, text, locale);
    let mut placed = Vec::with_capacity(scripts.len());
    let mut graphemes: Vec<Grapheme> = Vec::new();
    let mut scripts = scripts.into_iter();
    for (start, grapheme) in text.grapheme_indices(true) {
        let from = placed.len();
        let first = grapheme.chars().next().map_or(' ', |c| full_width.set(c));
        let mut script = Script::Common;
        // Up to which byte of the grapheme pictures stand for it.
        let mut pictured = 0;
        for (i, c) in grapheme.char_indices() {
            let own = scripts.next().unwrap_or(Script::Common);
            if i == 0 {
                script = own;
            }
            if i < pictured {
                continue;
            }
            // A grapheme is shaped as one.
            let p = Placed { at: start + i, c: full_width.set(c), face: primary, script, emoji: None };
            if let Some((emoji, bytes)) = Emoji::longest(&grapheme[i..]) {
                placed.push(Placed { emoji: Some(emoji), ..p });
                pictured = i + bytes;
                continue;
            }
            keep(fonts, chains.of(script, chains.order(first, script)), p, from, &mut placed, missing);
        }
        let order = chains.order(first, script);
        graphemes.push(Grapheme { from, letter: first.is_alphabetic(), script, order });
    }
    let mut i = 0;
    while i < graphemes.len() {
        let word = graphemes[i];
        // Without spaces there is no telling words apart, and a phrase shouldn't change face for one character.
        let joins = |g: &&Grapheme| g.letter && !is_cjk(word.script) && same_faces(g.script, word.script);
        let letters = graphemes[i..].iter().take_while(joins).count().max(1);
        let bounds = &graphemes[i..i + letters];
        let end = graphemes.get(i + letters).map_or(placed.len(), |g| g.from);
        let chain = chains.of(word.script, word.order);
        if !choose(fonts, chain, &mut placed[bounds[0].from..end]) {
            let ends = bounds[1..].iter().map(|g| g.from).chain([end]);
            for (from, to) in bounds.iter().map(|g| g.from).zip(ends) {
                if !choose(fonts, chain, &mut placed[from..to]) {
                    (from..to).for_each(|i| {
                        choose(fonts, chain, &mut placed[i..=i]);
                    });
                }
            }
        }
        i += letters;
    }
    // White space goes with what stands before it, so that it doesn't part a run.
    for i in 1..placed.len() {
        if placed[i].c.is_whitespace() && !is_newline(placed[i].c) {
            placed[i].face = placed[i - 1].face;
            placed[i].script = placed[i - 1].script;
        }
    }
    (placed, primary)
}

/// The face of the text's body: `primary`, unless it lacks letters of many words. Those would stand out one by one in
/// another face, so all stand in the first that has them.
fn body(fonts: &Fonts, text: &str, primary: FaceId) -> FaceId {
    let ours = |c: char| c.is_alphabetic() && is_general(c.script());
    let lacks = |face: FaceId, word: &str| word.chars().any(|c| ours(c) && !fonts.covers(face, c));
    let words = || text.unicode_words().filter(|word| word.chars().any(ours));
    let lacking = words().filter(|word| lacks(primary, word)).count();
    if lacking == 0 || lacking * APART < words().count() {
        return primary;
    }
    let weight = fonts.weight(primary);
    let mut faces = fonts.family(primary).fallback().into_iter().map(|family| fonts.face(family, weight));
    faces.find(|face| words().all(|word| !lacks(*face, word))).unwrap_or(primary)
}

#[derive(Clone, Copy)]
struct Grapheme {
    /// Its first character among those that were placed.
    from: usize,
    letter: bool,
    script: Script,
    order: Order,
}

/// Whether both scripts are set in the same faces.
fn same_faces(a: Script, b: Script) -> bool {
    a == b || (is_general(a) && is_general(b))
}

/// Whose faces come first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The paragraph's own face, then those of the script.
    Letters,
    /// The faces of the script: punctuation matches the letters around it.
    Script,
}

/// The faces to try for each script, best first, made when first asked for.
struct Chains<'a> {
    fonts: &'a Fonts,
    primary: FaceId,
    han: Han,
    /// The text has letters that Arabic itself hasn't.
    persian: bool,
    made: Vec<(Script, Order, Vec<FaceId>)>,
}

impl<'a> Chains<'a> {
    fn new(fonts: &'a Fonts, primary: FaceId, text: &str, locale: &Locale) -> Self {
        let guessed = || {
            let any = |range: std::ops::RangeInclusive<char>| text.chars().any(|c| range.contains(&c));
            match () {
                () if any('\u{3041}'..='\u{30ff}') => Han::Japanese,
                () if any('\u{ac00}'..='\u{d7a3}') => Han::Korean,
                () => Han::Simplified,
            }
        };
        let persian = matches!(locale.primary(), "fa" | "ur" | "ps" | "ku" | "ckb" | "sd" | "ug" | "pnb" | "glk")
            || text.chars().any(|c| "پچژگکیٹڈڑےںھہۀێۆ".contains(c));
        Self { fonts, primary, han: locale.han().unwrap_or_else(guessed), persian, made: Vec::new() }
    }

    /// How `c` among characters of `script` looks for its face.
    fn order(&self, c: char, script: Script) -> Order {
        let wide = matches!(c, '“' | '”' | '‘' | '’' | '…' | '—' | '―' | '‥' | '·') && self.han != Han::Korean;
        let with_script = match script {
            Script::Han => is_han_punctuation(c) || wide,
            Script::Hangul => is_han_punctuation(c),
            _ => !is_general(script) && is_neutral(c),
        };
        if with_script { Order::Script } else { Order::Letters }
    }

    fn of(&mut self, script: Script, order: Order) -> &[FaceId] {
        let found = self.made.iter().position(|(s, o, _)| *s == script && *o == order);
        let i = found.unwrap_or_else(|| {
            self.made.push((script, order, self.make(script, order)));
            self.made.len() - 1
        });
        &self.made[i].2
    }

    fn make(&self, script: Script, order: Order) -> Vec<FaceId> {
        let family = self.fonts.family(self.primary);
        let weight = self.fonts.weight(self.primary);
        let face = |f: super::Family| self.fonts.face(f, weight);
        // Of two weights equally near the lighter: text at 500 is no bold text.
        let lighter = |f: &super::Family| self.fonts.face(*f, weight.saturating_sub(1));
        let mut own: Vec<FaceId> = family.of_script(script, self.han, self.persian).iter().map(lighter).collect();
        if own.iter().any(|f| self.fonts.family(*f) == family) {
            own.insert(0, self.primary);
        }
        let general = std::iter::once(self.primary).chain(family.fallback().into_iter().chain(SIGNS).map(face));
        let mut chain = match order {
            Order::Script => own.into_iter().chain(general).collect::<Vec<_>>(),
            Order::Letters => std::iter::once(self.primary).chain(own).chain(general).collect(),
        };
        // What nothing vendored has.
        chain.extend(self.fonts.added(weight));
        // A character among those of another script: no face that has it is left out. Families that the chain has are
        // not tried again, and these are unpacked only for a character that all others lack.
        chain.extend(super::Family::ALL.map(face));
        let mut seen = Vec::with_capacity(chain.len());
        chain.retain(|f| {
            let new = !seen.contains(f);
            seen.push(*f);
            new
        });
        chain
    }
}

/// Appends a character of the grapheme that begins at `placed[from]` if some face has it.
fn keep(fonts: &Fonts, chain: &[FaceId], p: Placed, from: usize, placed: &mut Vec<Placed>, missing: &mut Vec<char>) {
    let has = |c: char| chain.iter().any(|f| fonts.covers(*f, c));
    if p.c.is_whitespace() {
        // Where a character between two spaces was left out, one of them goes too.
        let doubled = !missing.is_empty() && placed.last().is_some_and(|l| is_breaking_space(l.c));
        if !(doubled && is_breaking_space(p.c)) {
            placed.push(p);
        }
    } else if is_invisible(p.c) {
        // Nothing to draw, nothing missing; but joiners matter to the shaping of what they stand between.
        if is_joiner(p.c) && placed.len() > from {
            placed.push(p);
        }
    } else if matches!(p.c, '\u{2010}' | '\u{2011}') && !fonts.covers(p.face, p.c) {
        placed.push(Placed { c: '-', ..p });
    } else if has(p.c) || placed[from..].last().is_some_and(|b| composed(b.c, p.c).is_some_and(has)) {
        placed.push(p);
    } else if !missing.contains(&p.c) {
        missing.push(p.c);
    }
}

/// Sets `placed` in the first face of `chain` that has all of it; false where none has.
fn choose(fonts: &Fonts, chain: &[FaceId], placed: &mut [Placed]) -> bool {
    let has_all = |face: FaceId| {
        let mut base = None;
        placed.iter().all(|p| {
            let whole = base.and_then(|b| composed(b, p.c)).filter(|c| fonts.covers(face, *c));
            base = whole.or(Some(p.c));
            whole.is_some() || p.emoji.is_some() || p.c.is_whitespace() || is_joiner(p.c) || fonts.covers(face, p.c)
        })
    };
    let Some(face) = chain.iter().copied().find(|f| has_all(*f)) else { return false };
    placed.iter_mut().for_each(|p| p.face = face);
    true
}

/// The character that `base` and the mark `c` make together.
fn composed(base: char, c: char) -> Option<char> {
    harfrust::unicode::compose(u32::from(base), u32::from(c)).and_then(char::from_u32)
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}
