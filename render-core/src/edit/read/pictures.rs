//! Rules about pictures: photograph, logo, art; and what no page has.

use std::collections::HashSet;

use crate::content::{Direction, Language};
use crate::design::{Crop, LogoPlace, Recipe, Theme};
use crate::icon::Icon;
use crate::pictures;
use crate::text::emoji::Emoji;

use super::super::Op;
use super::clause::{Bag, Kind, tokens};
use super::done::Done;
use super::lex::{fold, is_url};
use super::lexicon;
use super::plain;
use super::sense::{Sense, W};
use super::state::{State, Subject};

/// What is said where there is no language model: with one, words are translated as they are written.
const UNTRANSLATED: &str =
    "Without a language model an edit doesn't translate; a new generation in that language does.";

/// What is said where a picture is asked for and none is named.
const UNNAMED: &str =
    "Photographs come from an address or an upload: “show the photo https://…”, or choose a file under Design.";

/// The URLs in a prompt that speaks of a picture.
pub(super) fn named(prompt: &str) -> Vec<String> {
    let pieces = lexicon::cut(prompt);
    let toks = tokens(&pieces, &lexicon::senses(&pieces, &HashSet::new(), None));
    let said = toks.iter().any(|t| t.is(W::Photo));
    toks.into_iter().filter_map(|t| url(&t.kind)).filter(|url| said || is_picture(url)).collect()
}

/// Whether a URL ends as files of pictures do: "use this image: …/roof.jpg" says "image", which is the page's name too.
fn is_picture(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    [".jpg", ".jpeg", ".png", ".webp"].iter().any(|end| path.ends_with(end))
}

/// The URL that a token is.
fn url(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Name(text) | Kind::Quoted(text) if is_url(text) => Some(text.clone()),
        _ => None,
    }
}

/// What is asked for now and then, and no edit does.
const NEVER: [(W, &str); 16] = [
    (W::Undo, "An edit reads one version; an earlier one comes back by restoring it."),
    (W::Translate, UNTRANSLATED),
    (W::Animate, "Pages are still pictures."),
    (W::Italic, "Faces are set upright; “emphasise a word” or another face sets text apart."),
    (W::Rotate, "A headline, a picture or a card can be tilted; nothing is turned further or mirrored."),
    (W::Gradient, "Grounds are flat; the background can have another colour."),
    (W::Shadow, "Cards can have shadows and borders; glow, blur and textures are the style's own."),
    (W::Emoji, "Put the emoji itself in the prompt: “add 🎉 to the headline”."),
    (W::Video, "Pages are still pictures."),
    (W::Code, "A QR code needs its address: “add a QR code for https://…”. There are no links and maps."),
    (W::Rewrite, "An edit doesn't invent words; say in quotation marks what the text should read."),
    (
        W::Export,
        "Formats and files belong to the generation: “Make it again” makes the slides in other formats, and its download has the files.",
    ),
    (W::Cue, "“Swipe” and “Save” are cues: say “change Save to Share” or “remove the cue”."),
    (W::Leading, "Say which way: “more line spacing”, “less line spacing”, “wider letter spacing”."),
    (W::Photo, UNNAMED),
    (W::Chart, "The chart is drawn from the figures of the content."),
];

/// What can't be done on any page.
pub(super) fn never(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let _ = &st;
    if bag.has(&[W::Remove, W::None, W::Not]) && !bag.has(&[W::Cue]) {
        return None;
    }
    let words: Vec<W> = NEVER.iter().map(|(w, _)| *w).filter(|w| !matches!(w, W::Photo | W::Chart)).collect();
    let word = bag.take_word(&words)?;
    let (_, why) = NEVER.iter().find(|(w, _)| *w == word)?;
    // Whatever else the clause says is about it.
    let n = bag.toks.len();
    bag.take_range(0..n);
    Some(Done::No((*why).to_owned()))
}

/// Another photograph, by its URL.
pub(super) fn another(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let shown = bag.any(|kind| url(kind).is_some_and(|url| is_picture(&url)));
    let meant = shown && !bag.any(|kind| matches!(kind, Kind::Sense(Sense::Part(_))));
    if !(meant || bag.has(&[W::Photo])) {
        return None;
    }
    let url = bag.take_one(url)?;
    bag.take(&[W::Photo, W::Replace, W::Other, W::Add, W::Swap, W::Rename, W::Show, W::Background, W::Page]);
    st.push(Op::Picture { url, key: None });
    Some(Done::Yes(vec![Subject::Photo]))
}

/// The photograph: off, other, cropped, darker.
pub(super) fn photo(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let about = st.about == [Subject::Photo];
    let said = bag.take(&[W::Photo]);
    let framed = bag.has(&[W::Crop, W::Whole, W::Cover]);
    let goes_on = about && bag.has(&[W::Darker, W::Lighter, W::Left, W::Right, W::Remove]);
    if !(said || framed || goes_on) {
        return None;
    }
    let yes = Some(Done::Yes(vec![Subject::Photo]));
    if bag.take(&[W::Replace, W::Other, W::Add, W::Swap, W::Rename]) {
        bag.take_unknown();
        bag.take(&[W::Background, W::Page]);
        bag.quotes();
        return Some(Done::No(UNNAMED.into()));
    }
    let now = st.photo();
    bag.take(&[W::Page]);
    let way = bag.take_word(&[
        W::Remove,
        W::Show,
        W::Darker,
        W::Lighter,
        W::Whole,
        W::Cover,
        W::Left,
        W::Right,
        W::Top,
        W::Bottom,
        W::Centre,
    ]);
    let crop_verb = bag.take(&[W::Crop, W::Move, W::Align]);
    let second = bag.take_word(&[W::Whole, W::Cover, W::Left, W::Right, W::Top, W::Bottom, W::Centre]);
    let bit = bag.take(&[W::Bit]);
    let much = bag.take(&[W::Much]);
    bag.take(&[W::More, W::Less, W::Background]);
    let way = match (way, crop_verb) {
        (None, true) if said => return Some(Done::No("Say to which side it should be cropped.".into())),
        (way, _) => way?,
    };
    let Some(Op::Photo { mut shown, mut crop, mut focus, mut dim }) = now else {
        // The picture that people see on such a page is a drawing.
        if way == W::Remove && st.page().art.is_some() {
            st.push(Op::Art { recipe: None, variant: 1 });
            return Some(Done::Yes(vec![Subject::Art]));
        }
        return Some(Done::No("This page has no photograph.".into()));
    };
    let step = if bit {
        10
    } else if much {
        40
    } else {
        20
    };
    for way in [Some(way), second].into_iter().flatten() {
        match way {
            W::Remove => shown = false,
            W::Show => shown = true,
            W::Darker => dim = (dim + step).min(90),
            W::Lighter => dim = dim.saturating_sub(step),
            W::Whole => crop = Crop::Whole,
            W::Cover => crop = Crop::Cover,
            W::Left => (crop, focus.0) = (Crop::Cover, 0),
            W::Right => (crop, focus.0) = (Crop::Cover, 100),
            W::Top => (crop, focus.1) = (Crop::Cover, 0),
            W::Bottom => (crop, focus.1) = (Crop::Cover, 100),
            _ => (crop, focus) = (Crop::Cover, (50, 50)),
        }
    }
    if matches!(way, W::Lighter) && st.page().adjust.dim == 0 && dim == 0 {
        st.note("The photograph is as bright as it was taken.");
    }
    st.push(Op::Photo { shown, crop, focus, dim });
    yes
}

/// The logo: off and on, larger, elsewhere.
pub(super) fn logo(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let about = st.about == [Subject::Logo];
    if !bag.take(&[W::Logo]) && !about {
        return None;
    }
    bag.take(&[W::Brand]);
    let off = bag.take(&[W::Remove, W::None]);
    let on = bag.take(&[W::Show, W::Add]);
    let replaced = bag.take(&[W::Replace, W::Other]);
    let moves = bag.take(&[W::Move, W::Align]);
    bag.take(&[W::Corner, W::Size]);
    let places = bag.take_all(|k| match k {
        Kind::Sense(Sense::Word(w))
            if [W::Left, W::Right, W::Top, W::Bottom, W::Centre, W::Start, W::End, W::Up, W::Down].contains(w) =>
        {
            Some(*w)
        }
        Kind::Sense(Sense::Part(crate::design::Part::Footer)) => Some(W::Bottom),
        Kind::Sense(Sense::Part(crate::design::Part::Headline)) if moves => Some(W::Top),
        _ => None,
    });
    let word = bag.take_word(&SIZES);
    bag.take(&[W::Bigger, W::Smaller]);
    let (bit, much, too) = (bag.take(&[W::Bit]), bag.take(&[W::Much]), bag.take(&[W::Too]));
    let percent = bag.take(&[W::Percent, W::Times]);
    let number = if percent || word.is_some() { bag.number() } else { None };
    if !(off || on || replaced || word.is_some() || number.is_some() || !places.is_empty()) {
        return None;
    }
    let kit = st.target.brand.is_some_and(|b| b.logo.is_some() || b.logo_dark.is_some());
    if st.page().logo.is_none() && !(on && kit) {
        let why = if kit { "This page shows no logo." } else { "This generation has no logo; a brand kit brings one." };
        return Some(Done::No(why.into()));
    }
    if replaced {
        return Some(Done::No("The logo is the brand kit's; change it there.".into()));
    }
    let mut look = st.logo();
    look.shown = !off;
    let step = Step { word, bit, much, too };
    let factor = match (number, word) {
        (Some(n), None) => n / f32::from(look.percent),
        (Some(n), _) if bag.has(&[W::To]) => n / f32::from(look.percent),
        (Some(n), _) if step.grows() => 1.0 + n / 100.0,
        (Some(n), _) => 1.0 - n.min(60.0) / 100.0,
        (None, _) => step.factor(),
    };
    look.percent = (f32::from(look.percent) * factor).round().clamp(40.0, 400.0) as u16;
    let rtl = st.page().locale.direction == Direction::Rtl;
    let Some(place) = cornered(look.place, &places, rtl) else {
        return Some(Done::No("The logo stands in a corner: top or bottom, left or right.".into()));
    };
    look.place = place;
    st.push(Op::Logo { shown: look.shown, place: look.place, percent: look.percent });
    Some(Done::Yes(vec![Subject::Logo]))
}

/// Words for a change of size.
pub(super) const SIZES: [W; 9] =
    [W::Bigger, W::Smaller, W::Huge, W::Largest, W::Tiny, W::Increase, W::Decrease, W::Double, W::Half];

/// How a clause says by how much something grows or shrinks, without a number.
struct Step {
    word: Option<W>,
    bit: bool,
    much: bool,
    too: bool,
}

impl Step {
    /// Whether it grows. What is "too small" is to grow.
    fn grows(&self) -> bool {
        let shrinks = matches!(self.word, Some(W::Smaller | W::Tiny | W::Decrease | W::Half));
        shrinks == self.too
    }

    /// What its size is multiplied by.
    fn factor(&self) -> f32 {
        let by = match self.word {
            None => return 1.0,
            Some(W::Double) => return 2.0,
            Some(W::Half) => return 0.5,
            Some(W::Huge | W::Largest | W::Tiny) => 1.6,
            Some(_) if self.much => 1.6,
            Some(_) if self.bit => 1.12,
            Some(_) => 1.25,
        };
        if self.grows() { by } else { 1.0 / by }
    }
}

/// The corner that words move a logo to, from the corner where it stands; `None` where they name no corner.
fn cornered(from: LogoPlace, words: &[W], rtl: bool) -> Option<LogoPlace> {
    let (mut head, mut start) = match from {
        LogoPlace::HeadStart => (true, true),
        LogoPlace::HeadEnd => (true, false),
        LogoPlace::FootStart => (false, true),
        LogoPlace::FootEnd => (false, false),
    };
    for word in words {
        match word {
            W::Top | W::Up => head = true,
            W::Bottom | W::Down => head = false,
            W::Left => start = !rtl,
            W::Right => start = rtl,
            W::Start => start = true,
            W::End => start = false,
            _ => return None,
        }
    }
    Some(match (head, start) {
        (true, true) => LogoPlace::HeadStart,
        (true, false) => LogoPlace::HeadEnd,
        (false, true) => LogoPlace::FootStart,
        (false, false) => LogoPlace::FootEnd,
    })
}

/// How words for art begin that mean a drawing of something.
const DRAWN: [&str; 14] = [
    "illustr",
    "ilustr",
    "graphic",
    "drawing",
    "zeichn",
    "grafik",
    "dessin",
    "dibuj",
    "disegn",
    "desenh",
    "teken",
    "插图",
    "插画",
    "イラスト",
];

/// "swap the fan for a rocket", "use a bridge as the picture", "another illustration".
pub(super) fn drawing(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let page = st.page();
    let shows_photo = page.photo.is_some() && page.template.shows_photo();
    let own = page.picture.as_deref().unwrap_or_default();
    let draws = bag.toks.iter().filter(|tok| tok.is(W::Art)).any(|tok| {
        let word = fold(bag.words(tok));
        DRAWN.iter().any(|drawn| word.starts_with(drawn))
            || own.split('-').any(|name| word.starts_with(name) && !name.is_empty())
    });
    let photo = bag.toks.iter().any(|tok| {
        let word = fold(bag.words(tok));
        tok.is(W::Photo) && (word.starts_with("phot") || word.starts_with("foto"))
    });
    let said = draws && bag.take(&[W::Art]) || !shows_photo && bag.take(&[W::Photo]);
    let asked = bag.take(&[W::Swap, W::Replace, W::Add, W::Show, W::Other]) || bag.has(&[W::Use, W::Set]);
    if !said || !asked || bag.has(&[W::Remove, W::None, W::Background, W::Move]) {
        return None;
    }
    bag.take(&[W::Layout, W::More]);
    let named = bag.quotes().into_iter().next();
    let words = named.unwrap_or_else(|| bag.unknown().join(" "));
    let emoji = emoji_in(bag).map(str::to_owned);
    let now = page.picture.as_deref();
    let name = match emoji {
        Some(emoji) => emoji,
        None if words.is_empty() => {
            let title = st.slots().first().map(|(_, text)| text.clone()).unwrap_or_default();
            let all = st.slots().iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(". ");
            let Some(found) = depicted(&title, &all, st).into_iter().find(|name| Some(name.as_str()) != now) else {
                return Some(Done::No("Say what the picture should show: “add a picture of a bridge”.".into()));
            };
            st.note("Which other drawing was meant wasn't said; name a thing to have it drawn.");
            found
        }
        None => {
            let found = depicted(&words, "", st).into_iter().next();
            bag.take_unknown();
            match found {
                Some(found) => {
                    if photo {
                        st.note(format!("{UNNAMED} This is a drawing."));
                    }
                    found
                }
                None => return Some(Done::No(format!("There is no drawing of “{words}”."))),
            }
        }
    };
    bag.take_unknown();
    st.push(Op::Drawing(name));
    Some(Done::Yes(vec![Subject::Art]))
}

/// The first emoji of a clause.
pub(super) fn emoji_in<'s>(bag: &Bag<'s>) -> Option<&'s str> {
    let (first, last) = (bag.toks.first()?.at.start, bag.toks.last()?.at.end);
    // An emoji may stand behind the last token, for it is none itself.
    let from = bag.src.char_indices().filter(|(at, c)| !c.is_ascii() && (first..=last + 1).contains(at));
    from.into_iter().find_map(|(at, _)| {
        let (_, length) = Emoji::longest(bag.src.get(at..)?)?;
        bag.src.get(at..at + length)
    })
}

/// The drawings of what words speak of, the best first: pictures of the vocabulary, then emoji.
pub(super) fn depicted(words: &str, beside: &str, st: &State<'_, '_>) -> Vec<String> {
    let kebab = fold(words).split_whitespace().collect::<Vec<_>>().join("-");
    let is_named = |name: &str| name == kebab || kebab.strip_suffix('s') == Some(name);
    let mut out: Vec<String> =
        pictures::all().iter().filter(|entry| is_named(entry.name)).map(|entry| entry.name.to_owned()).collect();
    let languages = [Language::english(), st.page().locale.language.clone()];
    for language in &languages {
        out.extend(pictures::meant(words, beside, language.primary()).into_iter().map(|entry| entry.name.to_owned()));
    }
    for language in &languages {
        let emoji = Icon::things(words, language).into_iter().filter_map(Icon::emoji);
        out.extend(emoji.map(|emoji| pictures::of_emoji(emoji).map_or(emoji, |entry| entry.name).to_owned()));
    }
    if out.is_empty() && words.contains(' ') {
        // Of several words that mean nothing together, each may: "people working together".
        let single = words.split_whitespace().filter(|word| word.chars().count() > 3);
        return single.map(|word| depicted(word, "", st)).find(|found| !found.is_empty()).unwrap_or_default();
    }
    out
}

/// The art: off, other, by name.
pub(super) fn art(bag: &mut Bag<'_>, st: &mut State<'_, '_>) -> Option<Done> {
    let named = recipe(bag);
    // Circles and waves are no part of a drawing with a name.
    let start = bag.toks.first().map_or(0, |tok| tok.at.start);
    let ornament = bag.src.get(..start).is_some_and(|before| before.ends_with(plain::SURE));
    let said = bag.take(&[W::Art]);
    let named_alone = named.is_some() && bag.has(&[W::Use, W::Add, W::Show]);
    if !(said || named_alone) {
        return None;
    }
    bag.take(&[W::Background, W::All, W::Layout]);
    let yes = Some(Done::Yes(vec![Subject::Art]));
    let page = st.page();
    if bag.take(&[W::Remove, W::None]) {
        if page.art.is_none() && page.picture.is_none() || ornament && page.picture.is_some() {
            return Some(Done::No("This page has no art that could be taken off.".into()));
        }
        st.push(Op::Art { recipe: None, variant: 1 });
        return yes;
    }
    let lead = Theme::of(page.style).lead_art;
    let now = page.art.map(|a| a.recipe);
    let sized = bag.has(&[W::Smaller, W::Bigger, W::Huge, W::Tiny, W::Largest]);
    // The size of a drawing is that of its element, and taking it off is another wish.
    if sized && page.picture.is_some() {
        return None;
    }
    if bag.take(&[W::Less, W::Smaller, W::Muted, W::Decrease, W::Calm, W::Too, W::Busy, W::Much]) {
        bag.take(&[W::Busy, W::Much, W::Bit]);
        st.note("Art is there or it isn't: it was taken off.");
        st.push(Op::Art { recipe: None, variant: 1 });
        return yes;
    }
    if let Some(recipe) = named {
        bag.take(&[W::Add, W::Show, W::Replace, W::Other]);
        st.push(Op::Art { recipe: Some(recipe), variant: 1 });
        return yes;
    }
    if bag.take(&[W::Other, W::Replace, W::Swap]) || bag.take(&[W::Add, W::Show, W::More]) {
        if !page.template.shows_art() && now.is_none() && lead.is_empty() {
            return Some(Done::No("This layout has no room for art.".into()));
        }
        let at = now.and_then(|r| lead.iter().position(|l| *l == r));
        let next =
            lead.iter().cycle().skip(at.map_or(0, |i| i + 1)).take(lead.len()).copied().find(|r| Some(*r) != now);
        st.push(Op::Art { recipe: next.or(now), variant: 1 });
        return yes;
    }
    None
}

/// A recipe that a clause names.
fn recipe(bag: &mut Bag<'_>) -> Option<Recipe> {
    for i in 0..bag.toks.len() {
        let word = bag.toks.get(i).map(|t| fold(bag.words(t)))?;
        let found = Recipe::ALL.into_iter().find(|r| {
            let name = r.name();
            name == word || name.strip_suffix('s') == Some(word.as_str()) || word.strip_suffix('s') == Some(name)
        });
        // Words that are art of any kind are none of these.
        const PLAIN: [&str; 10] =
            ["steps", "step", "column", "columns", "grid", "trend", "trends", "flow", "ring", "rings"];
        if let Some(recipe) = found.filter(|_| !PLAIN.contains(&word.as_str())) {
            bag.take_range(i..i + 1);
            return Some(recipe);
        }
    }
    None
}
