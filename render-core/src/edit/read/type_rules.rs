//! Rules about type: weights and typefaces.

use crate::design::{Part, Style, Theme, Which};
use crate::text::Family;

use super::super::Op;
use super::clause::{Bag, Kind, plain_words};
use super::done::Done;
use super::lex::fold;
use super::sense::{Sense, W};
use super::state::{State, Subject};

/// Reads a clause about a weight: "bold", "thinner", "weight 700".
pub(super) fn weight(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let said = bag.take(&[W::Weight]);
    let words = [W::Bold, W::Bolder, W::Thin, W::Thinner, W::Regular, W::Medium, W::Semibold];
    let mut word = bag.take_word(&words);
    if word.is_none() && said {
        word = bag.take_word(&[W::Light, W::Lighter, W::Bigger, W::Increase, W::Decrease]).map(|w| match w {
            W::Light => W::Thin,
            W::Lighter | W::Decrease => W::Thinner,
            _ => W::Bolder,
        });
    }
    let number = if said { bag.number() } else { None };
    if bag.take(&[W::Less]) && matches!(word, Some(W::Bold | W::Bolder)) {
        word = Some(W::Thinner);
    }
    if bag.take(&[W::Remove]) && word == Some(W::Bold) {
        word = Some(W::Regular);
    }
    bag.take(&[W::Bit, W::Much, W::More]);
    let too = bag.take(&[W::Too]);
    if too {
        word = match word? {
            W::Bold | W::Bolder => Some(W::Thinner),
            _ => Some(W::Bolder),
        };
    }
    if number.is_none() && word.is_none() {
        return None;
    }
    let mut parts = bag.parts();
    let looks = bag.take(&[W::Look]);
    if bag.take(&[W::Item, W::Card, W::Bar]) {
        parts.push(Part::Points);
    }
    let items = bag.items();
    if bag.take(&[W::Text, W::Face]) && parts.is_empty() {
        parts.push(st.text_part());
        st.note(format!("“The text” was taken for the {}.", st.text_part().name()));
    }
    if let [item] = items.as_slice() {
        // A weight applies to a whole part, so a single point is highlighted instead.
        if matches!(word, Some(W::Bold | W::Bolder | W::Semibold)) && parts.is_empty() {
            let at = st.here(*item)?;
            st.note("A single point is not set bold; it stands out as the page lets one.");
            st.push(Op::Highlight(Some(at)));
            return Some(Done::Yes(vec![Subject::Item(at)]));
        }
        return None;
    }
    if parts.is_empty() {
        parts = st
            .about
            .iter()
            .filter_map(|s| if let Subject::Text(Which::All(p)) = s { Some(*p) } else { None })
            .collect();
    }
    if parts.is_empty() {
        if matches!(word, Some(W::Bold | W::Bolder)) && (looks || word == Some(W::Bold)) {
            let style = called("bold")?;
            st.note(format!("It was taken for the style {}.", style.name()));
            st.push(Op::Style(style));
            return Some(Done::Yes(vec![Subject::Page]));
        }
        st.note("It was taken for the headline.");
        parts.push(Part::Headline);
    }
    for part in &parts {
        let Some(now) = st.weight(*part) else { return Some(Done::No(format!("This page has no {}.", part.name()))) };
        let Some(to) = weighed(number, word, now) else { return Some(Done::No("Weights go from 100 to 900.".into())) };
        st.push(Op::Weight { part: *part, to });
    }
    Some(Done::Yes(parts.into_iter().map(|p| Subject::Text(Which::All(p))).collect()))
}

/// Returns the weight that a number or a word asks for, for a text of weight `now`. `None` if the number is not
/// 100–900.
fn weighed(number: Option<f32>, word: Option<W>, now: u16) -> Option<u16> {
    if let Some(number) = number {
        return (100.0..=900.0).contains(&number).then_some(number as u16);
    }
    Some(match word {
        Some(W::Bold) => 700,
        Some(W::Semibold) => 600,
        Some(W::Medium) => 500,
        Some(W::Regular) => 400,
        Some(W::Thin) => 300,
        Some(W::Bolder) => (now + 200).min(900),
        _ => now.saturating_sub(200).max(100),
    })
}

/// Well-known typefaces that aren't available, and the nearest available ones.
const ABSENT: [(&str, &str); 40] = [
    ("arial", "Inter Tight"),
    ("helvetica", "Inter Tight"),
    ("helvetica neue", "Inter Tight"),
    ("roboto", "Inter Tight"),
    ("open sans", "Noto Sans"),
    ("lato", "Public Sans"),
    ("montserrat", "Manrope"),
    ("poppins", "Manrope"),
    ("times", "Noto Serif"),
    ("times new roman", "Noto Serif"),
    ("georgia", "Literata"),
    ("garamond", "Cormorant"),
    ("playfair", "Newsreader"),
    ("playfair display", "Newsreader"),
    ("futura", "Manrope"),
    ("gotham", "Manrope"),
    ("comic sans", "Fredoka"),
    ("comic sans ms", "Fredoka"),
    ("verdana", "Noto Sans"),
    ("tahoma", "Noto Sans"),
    ("courier", "Geist Mono"),
    ("courier new", "Geist Mono"),
    ("impact", "Archivo Extra Condensed"),
    ("oswald", "Archivo Condensed"),
    ("bebas neue", "Archivo Extra Condensed"),
    ("bebas", "Archivo Extra Condensed"),
    ("raleway", "Manrope"),
    ("nunito sans", "Nunito"),
    ("quicksand", "Nunito"),
    ("merriweather", "Literata"),
    ("baskerville", "Newsreader"),
    ("bodoni", "Newsreader"),
    ("didot", "Newsreader"),
    ("calibri", "Hanken Grotesk"),
    ("dm sans", "Hanken Grotesk"),
    ("work sans", "Public Sans"),
    ("source sans", "Public Sans"),
    ("ubuntu", "Noto Sans"),
    ("papyrus", "Cormorant"),
    ("fraunces", "Newsreader"),
];

/// Families by common short names.
const SHORT: [(&str, Family); 8] = [
    ("inter", Family::InterTight),
    ("bricolage", Family::BricolageDisplay),
    ("bricolage grotesque", Family::BricolageDisplay),
    ("hanken", Family::HankenGrotesk),
    ("space", Family::SpaceGrotesk),
    ("noto", Family::NotoSans),
    ("instrument", Family::InstrumentSans),
    ("cormorant garamond", Family::Cormorant),
];

/// Returns the family that the first words name and the number of these words. `Err` has the nearest family if the
/// named one is known but not available.
fn named(words: &[String], families: &[Family]) -> Option<(Result<Family, &'static str>, usize)> {
    for n in (1..=words.len().min(4)).rev() {
        let name = words.get(..n)?.join(" ");
        let here = families.iter().copied().find(|f| fold(f.name()) == name);
        let short = || SHORT.iter().find(|(s, _)| *s == name).map(|(_, f)| *f);
        if let Some(family) = here.or_else(short) {
            return Some((Ok(family), n));
        }
        if let Some((_, near)) = ABSENT.iter().find(|(s, _)| *s == name) {
            return Some((Err(near), n));
        }
    }
    None
}

/// Takes the typeface that a clause names, quoted or not. `Err` has the nearest family if the named one is known but
/// not available. A single word that has another sense doesn't count.
fn by_name(bag: &mut Bag<'_>, st: &State<'_, '_>) -> Option<Result<Family, &'static str>> {
    let fonts = st.target.fonts;
    let added = fonts.faces().map(|face| fonts.family(face)).filter(|f| matches!(f, Family::Added(_)));
    let families: Vec<Family> = added.chain(Family::ALL.into_iter().filter(|f| f.is_latin_text())).collect();
    for i in 0..bag.toks.len() {
        let tail: Vec<String> = bag.toks.iter().skip(i).take(4).flat_map(|t| plain_words(bag.words(t))).collect();
        let Some((family, n)) = named(&tail, &families) else { continue };
        let single = n == 1 && !matches!(bag.toks.get(i).map(|t| &t.kind), Some(Kind::Unknown | Kind::Quoted(_)));
        if single {
            continue;
        }
        // Take as many tokens as the name needs: a quoted name is one token of several words.
        let mut words = 0;
        let mut end = i;
        while words < n
            && let Some(tok) = bag.toks.get(end)
        {
            words += plain_words(bag.words(tok)).len();
            end += 1;
        }
        bag.take_range(i..end);
        return Some(family);
    }
    None
}

/// Reads a clause about a typeface: "use Newsreader for the headline", "a serif font".
pub(super) fn face(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let said = bag.take(&[W::Face]);
    let found = by_name(bag, st);
    let sort =
        if found.is_none() { bag.take_word(&[W::Serif, W::Sans, W::Mono, W::Rounded, W::Condensed]) } else { None };
    let mood = if said && found.is_none() && sort.is_none() { bag.take_one(style) } else { None };
    let plain = bag.has(&[W::Set, W::Replace]) && !bag.any(|k| matches!(k, Kind::Unknown | Kind::Quoted(_)));
    let other = said && (bag.take(&[W::Other]) || plain && found.is_none() && sort.is_none() && mood.is_none());
    let brand = said && bag.take(&[W::Brand]);
    if found.is_none()
        && sort.is_none()
        && mood.is_none()
        && !other
        && !brand
        && !(said && bag.toks.iter().any(|t| matches!(t.kind, Kind::Unknown | Kind::Quoted(_))))
    {
        return None;
    }
    let parts = bag.parts();
    let heading = bag.has(&[W::Bigger]) && bag.take(&[W::Bigger]);
    let text = bag.take(&[W::Text]) || parts.iter().any(|p| !matches!(p, Part::Headline | Part::Figure));
    let display = heading || parts.iter().any(|p| matches!(p, Part::Headline | Part::Figure));
    bag.take(&[W::Item, W::All, W::Replace, W::Look, W::More]);
    let named_somewhere = display || text;
    // A typeface without a named text is for the headline.
    let to_display = display || !named_somewhere;
    let family = match found {
        Some(Ok(family)) => family,
        Some(Err(near)) => {
            return Some(Done::No(format!("That face is not among those here; “{near}” comes near.")));
        }
        None if brand => match st.target.brand.and_then(|b| if to_display { b.heading } else { b.body }) {
            Some(family) => family,
            None => return Some(Done::No("There is no brand kit with a face of its own.".into())),
        },
        None => match sort {
            Some(W::Serif) => Family::Newsreader,
            Some(W::Sans) => Family::InterTight,
            Some(W::Mono) => Family::GeistMono,
            Some(W::Rounded) => Family::Nunito,
            Some(_) => Family::ArchivoCondensed,
            None if mood.is_some() => {
                let of = mood.and_then(|style| Theme::of(style).faces.first());
                of.map_or(Family::InterTight, |faces| if to_display { faces.display } else { faces.body })
            }
            None if other => next_face(st, to_display),
            None => {
                let named = bag.toks.iter().find(|t| matches!(t.kind, Kind::Unknown | Kind::Quoted(_)));
                let named =
                    named.map(|t| bag.words(t).trim_matches(['"', '\'', '“', '”']).to_owned()).unwrap_or_default();
                bag.take_unknown();
                bag.quotes();
                let here = "Newsreader, Inter Tight, Space Grotesk, Archivo, Nunito";
                return Some(Done::No(format!("The face “{named}” is not among those here: {here}, among others.")));
            }
        },
    };
    if !named_somewhere {
        st.note("It was taken for the headline's face; name the text to change that one.");
    }
    if to_display {
        st.push(Op::Face { display: true, to: family });
    }
    if text {
        st.push(Op::Face { display: false, to: family });
    }
    Some(Done::Yes(vec![Subject::Text(Which::All(if to_display { Part::Headline } else { st.text_part() }))]))
}

/// Returns another typeface, preferably one of the style.
fn next_face(st: &State<'_, '_>, display: bool) -> Family {
    let page = st.page();
    let now = if display { page.faces.display } else { page.faces.body };
    let of_style = crate::design::Theme::of(page.style).faces.iter().map(|f| if display { f.display } else { f.body });
    let all = [Family::InterTight, Family::Newsreader, Family::SpaceGrotesk, Family::Manrope];
    let mut choice = of_style.chain(all);
    choice.find(|f| *f != now).unwrap_or(Family::InterTight)
}

/// Returns the style with this everyday name.
pub(super) fn called(word: &str) -> Option<Style> {
    Style::all().find(|style| Theme::of(*style).called.contains(&word))
}

/// Returns the style that a token names.
pub(super) fn style(kind: &Kind) -> Option<Style> {
    match kind {
        Kind::Sense(Sense::Style(s)) => Some(*s),
        _ => None,
    }
}
