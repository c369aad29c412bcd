//! Font fallback: chooses the face of each character.

use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::character::{is_breaking_space, is_invisible, is_newline};
use super::emoji::{Emoji, EmojiId};
use super::faces::{FaceId, Fonts};
use super::family::SIGNS;
use super::locale::{Han, Locale};
use super::script::{is_cjk, is_general, is_han_punctuation, is_neutral, scripts};

/// A character, with the face that it is set in and the script that it is shaped as.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    /// Byte offset in the text.
    pub at: usize,
    pub c: char,
    pub face: FaceId,
    pub script: Script,
    /// The picture that replaces this character and the following characters that belong to the emoji.
    pub emoji: Option<EmojiId>,
}

/// If the face lacks letters in fewer than one of this many words, only those words change face; otherwise the whole
/// text does.
const APART: usize = 4;

/// How full-width Latin letters and figures (Ａ１) are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FullWidth {
    /// They become the corresponding ASCII characters: in lines.
    Folded,
    /// They stay as wide as a Han character: in columns, where they are upright.
    Kept,
}

impl FullWidth {
    /// Returns the character that replaces `c`. A tab becomes a space, because a paragraph has no tab stops.
    fn set(self, c: char) -> char {
        match c {
            '\t' => ' ',
            _ if self == Self::Folded && is_wide_alphanumeric(c) => folded(c),
            _ => c,
        }
    }
}

/// Returns whether `c` is a full-width Latin letter or figure.
pub(super) fn is_wide_alphanumeric(c: char) -> bool {
    matches!(c, 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '０'..='９')
}

/// Returns the ASCII character for a full-width form (U+FF01 to U+FF5E).
fn folded(c: char) -> char {
    const OFFSET: u32 = '！' as u32 - '!' as u32;
    u32::from(c).checked_sub(OFFSET).and_then(char::from_u32).unwrap_or(c)
}

/// Chooses a face for each character and drops characters that no face has. Returns the characters and the face of the
/// body. A word is set in one face if any face has all of it; a grapheme always is, if possible.
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
        // Pictures cover the grapheme up to this byte.
        let mut pictured = 0;
        for (i, c) in grapheme.char_indices() {
            let own = scripts.next().unwrap_or(Script::Common);
            if i == 0 {
                script = own;
            }
            if i < pictured {
                continue;
            }
            // All characters of a grapheme are shaped with the same script.
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
        // Without spaces, words can't be told apart, and a phrase shouldn't change face because of one character.
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
    // White space takes the face of the character before it, so that it doesn't split a run.
    for i in 1..placed.len() {
        if placed[i].c.is_whitespace() && !is_newline(placed[i].c) {
            placed[i].face = placed[i - 1].face;
            placed[i].script = placed[i - 1].script;
        }
    }
    (placed, primary)
}

/// Returns the face of the text's body: `primary`, unless it lacks letters of many words. Those words would stand out
/// one by one in another face, so all text takes the first face that has them.
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
    /// Index of its first character among the placed ones.
    from: usize,
    letter: bool,
    script: Script,
    order: Order,
}

/// Returns whether both scripts are set in the same faces.
fn same_faces(a: Script, b: Script) -> bool {
    a == b || (is_general(a) && is_general(b))
}

/// Which faces are tried first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The paragraph's own face, then those of the script.
    Letters,
    /// The faces of the script, so that punctuation matches the letters around it.
    Script,
}

/// The faces to try for each script, best first, computed on first use.
struct Chains<'a> {
    fonts: &'a Fonts,
    primary: FaceId,
    han: Han,
    /// Whether the text has letters that Arabic itself lacks.
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

    /// Returns the order in which faces are tried for `c` among characters of `script`.
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
        // If two weights are equally near, takes the lighter: text at 500 is not bold.
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
        // For characters that no vendored face has.
        chain.extend(self.fonts.added(weight));
        // Fallback for a character of another script: a character that any face has is never dropped. Families already
        // in the chain are not tried again, and the remaining ones are decompressed only for a character that all
        // others lack.
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

/// Appends a character of the grapheme that begins at `placed[from]` if any face has it.
fn keep(fonts: &Fonts, chain: &[FaceId], p: Placed, from: usize, placed: &mut Vec<Placed>, missing: &mut Vec<char>) {
    let has = |c: char| chain.iter().any(|f| fonts.covers(*f, c));
    if p.c.is_whitespace() {
        // If a character between two spaces was dropped, one of the spaces is dropped too.
        let doubled = !missing.is_empty() && placed.last().is_some_and(|l| is_breaking_space(l.c));
        if !(doubled && is_breaking_space(p.c)) {
            placed.push(p);
        }
    } else if is_invisible(p.c) {
        // These have no ink, so none is missing. But joiners affect the shaping of the characters next to them.
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

/// Sets `placed` in the first face of `chain` that has all of it; returns false if no face does.
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

/// Returns the character that `base` and the mark `c` compose to.
fn composed(base: char, c: char) -> Option<char> {
    harfrust::unicode::compose(u32::from(base), u32::from(c)).and_then(char::from_u32)
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}
