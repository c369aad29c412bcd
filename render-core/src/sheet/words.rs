//! [`Words`]: a text of a page with its range of sizes, its voice and its colours.

use crate::design::{Flourish, Voice};
use crate::scene::{Color, TextLevel};
use crate::text::{Align, Fonts, Laid, Locale, Paragraph, ShapedText, TextSpan, TextStyle};
use crate::tree::{Fit, Marks, Run, Step};

use super::boxed::Ranged;
use super::setting::With;

/// How much heavier `strong` words are than the words around them.
const HEAVIER: u16 = 300;
/// Size and rise of `sup`, in em.
const SUP: (f32, f32) = (0.58, 0.36);
/// Size of code within words, against them.
const CODE: f32 = 0.92;
/// Contrast of a highlight to its ground, and of the ink to the highlight.
const MARKED: (f32, f32) = (1.12, 4.5);

/// A text of a page.
pub struct Words {
    /// The id of its element.
    pub id: String,
    /// The words without marks.
    pub text: String,
    /// Their size in du: the smallest and the largest that the page asks for.
    pub size: Ranged<f32>,
    /// The smallest size in du where nothing else helps.
    pub floor: f32,
    /// The most lines.
    pub lines: usize,
    /// Where the lines stand.
    pub align: Align,
    /// The least width of its box in em, so that boxes of several texts are equally wide.
    pub room: f32,
    /// Texts of the same group have one size.
    pub group: Option<String>,
    /// What the text is for the measures.
    pub level: TextLevel,
    /// The colour of words without marks.
    pub ink: Color,
    /// How marked words look, by their tag.
    pub manners: Vec<Manner>,
    /// How the text is set, its size aside.
    pub style: TextStyle,
    /// Shaped once.
    pub shaped: ShapedText,
}

/// How marked words of a text look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// Which of the paragraph's spans.
    pub tag: u8,
    /// Their ink.
    pub ink: Color,
    /// The band behind them.
    pub band: Option<Color>,
    /// Whether they are struck out.
    pub struck: bool,
}

/// What a text is, for [`Words::new`].
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The id of its element.
    pub id: &'a str,
    /// The part that it plays.
    pub voice: Voice,
    /// Its range of sizes.
    pub fit: Fit,
    /// The most lines.
    pub lines: usize,
    /// What it is for the measures.
    pub level: TextLevel,
    /// Its colour; the ground's ink where `None`.
    pub ink: Option<Color>,
    /// Where its lines stand; as its surroundings where `None`.
    pub align: Option<Align>,
    /// Its group.
    pub group: Option<&'a str>,
    /// Its weight, where the voice's own isn't meant.
    pub weight: Option<u16>,
    /// Room between its letters beyond the voice's own, in em.
    pub spacing: f32,
    /// Whether it is set in the face of code.
    pub code: bool,
}

impl Plan<'_> {
    /// A text in `voice` at one step of the scale, on any number of lines up to `lines`.
    pub fn at(voice: Voice, step: Step, lines: usize) -> Self {
        Self {
            id: "",
            voice,
            fit: Fit { min: step, max: step },
            lines,
            level: if voice == Voice::Display || voice == Voice::Figure { TextLevel::Head } else { TextLevel::Body },
            ink: None,
            align: None,
            group: None,
            weight: None,
            spacing: 0.0,
            code: false,
        }
    }

    /// The same in a range of sizes.
    pub fn fit(self, min: Step, max: Step) -> Self {
        Self { fit: Fit { min, max }, ..self }
    }
}

impl Words {
    /// The words of `runs`, set as `plan` says in the surroundings of `with`.
    pub fn new(runs: &[Run], plan: Plan<'_>, with: &With<'_>) -> Self {
        let setting = with.setting;
        let theme = setting.theme();
        let voice = theme.setting(plan.voice, &setting.faces);
        let family = if plan.code { crate::text::Family::GeistMono } else { voice.family };
        let face = setting.fonts.face(family, plan.weight.unwrap_or(voice.weight));
        let style = TextStyle {
            face,
            size: 1.0,
            tracking: plan.spacing + if plan.code { 0.0 } else { voice.tracking },
            leading: voice.leading,
            tabular: matches!(plan.voice, Voice::Figure | Voice::Data) || plan.code,
            case: false,
            stylistic_set: if plan.code { 0 } else { voice.stylistic_set },
        };
        let ink = plan.ink.unwrap_or_else(|| with.inks.ink());
        let (text, spans, manners) = marked(runs, &plan, ink, style, with);
        let align = plan.align.unwrap_or(with.align);
        let paragraph = Paragraph {
            text: &text,
            style: TextStyle { case: is_capitals(&text), ..style },
            locale: Locale::of(setting.language),
            align,
            balance: true,
            optical: !plan.code,
            spans: &spans,
        };
        let shaped = setting.shaped(&paragraph);
        let frame = with.frame;
        let (min, max) = (frame.size(plan.fit.min), frame.size(plan.fit.max));
        Self {
            id: plan.id.to_owned(),
            size: Ranged { min, max },
            floor: frame.floor(plan.fit.min).min(min),
            lines: plan.lines.max(1),
            align,
            room: 0.0,
            group: plan.group.map(str::to_owned),
            level: plan.level,
            ink,
            manners,
            style,
            shaped,
            text,
        }
    }

    /// Its size at a share of its range: from the floor at −1 over the smallest at 0 to the largest at 1.
    pub fn size_at(&self, share: f32) -> f32 {
        if share < 0.0 { Ranged { min: self.floor, max: self.size.min }.at(1.0 + share) } else { self.size.at(share) }
    }

    /// Sets the words at `size` in `width` du: a headline that would open with a word on a line of its own a little smaller,
    /// where that helps.
    pub fn set(&self, fonts: &Fonts, size: f32, width: f32) -> Laid {
        let laid = self.shaped.set(fonts, size, width);
        if self.level != TextLevel::Hero || self.group.is_some() || self.text.contains('\n') || !opens_alone(&laid) {
            return laid;
        }
        let smaller = SMALLER.into_iter().map(|by| by * size).take_while(|s| *s >= self.floor);
        let fuller = smaller
            .map(|s| self.shaped.set(fonts, s, width))
            .find(|other| other.lines.len() <= laid.lines.len() && !opens_alone(other));
        fuller.unwrap_or(laid)
    }

    /// The largest size up to `most` at which no word is broken and no line too many in `width` du; the floor where
    /// there is none.
    pub fn largest(&self, most: f32, width: f32) -> f32 {
        let fits = |size: f32| {
            let extent = self.shaped.extent(size, width);
            extent.whole && extent.lines <= self.lines
        };
        if most <= self.floor || fits(most) {
            return most;
        }
        let (mut low, mut high) = (self.floor, most);
        while high - low > 0.5 {
            let half = (low + high) / 2.0;
            if fits(half) { low = half } else { high = half }
        }
        low
    }
}

/// Sizes that are tried, against the one found, where a headline opens with a word on a line of its own.
const SMALLER: [f32; 4] = [0.97, 0.94, 0.9, 0.86];
/// A first line below this share of the widest one opens alone.
const ALONE: f32 = 0.42;

/// Whether the first of several lines is much shorter than the widest.
fn opens_alone(laid: &Laid) -> bool {
    let widest = laid.lines.iter().map(|l| l.width).fold(0.0, f32::max);
    laid.lines.len() > 1 && laid.lines[0].width < ALONE * widest
}

/// The text of runs, its spans, and how they look.
fn marked(
    runs: &[Run],
    plan: &Plan<'_>,
    ink: Color,
    style: TextStyle,
    with: &With<'_>,
) -> (String, Vec<TextSpan>, Vec<Manner>) {
    let (mut text, mut spans, mut manners) = (String::new(), Vec::new(), Vec::new());
    for run in runs {
        let from = text.len();
        text.push_str(&run.text);
        if run.marks == Marks::default() || spans.len() >= 200 {
            continue;
        }
        let tag = spans.len() as u8 + 1;
        let mut span = TextSpan::tagged(from..text.len(), tag);
        let (manner, face) = manner(run, plan, ink, style, with);
        span.face = face;
        if run.marks.sup {
            (span.scale, span.raise) = SUP;
        }
        if run.marks.code {
            span.scale *= CODE;
        }
        spans.push(span);
        manners.push(Manner { tag, ..manner });
    }
    (text, spans, manners)
}

/// How a run with marks looks: its ink and band, and its face where it has another.
fn manner(
    run: &Run,
    plan: &Plan<'_>,
    ink: Color,
    style: TextStyle,
    with: &With<'_>,
) -> (Manner, Option<crate::text::FaceId>) {
    let (setting, inks) = (with.setting, &with.inks);
    let fonts: &Fonts = setting.fonts;
    let mut manner = Manner { tag: 0, ink, band: None, struck: run.marks.del };
    let mut face = None;
    if run.marks.em {
        // Where the style turns words over, it does so in the italic that the face has; else the accent tells them apart.
        let turns = matches!(setting.theme().flourish, Flourish::Italic(..)) && plan.voice == Voice::Display;
        let covers = |f: &crate::text::FaceId| fonts.covers_text(fonts.family(*f), &run.text);
        face = fonts.italic(style.face).filter(|_| turns).filter(covers);
        if face.is_none() {
            manner.ink = inks.accent_ink();
        }
    }
    if run.marks.strong {
        let heavier = (fonts.weight(style.face) + HEAVIER).min(900);
        face = Some(fonts.face(fonts.family(style.face), heavier));
        manner.ink = if plan.ink.is_some() && !run.marks.em { inks.ink() } else { manner.ink };
    }
    if run.marks.code {
        face = Some(fonts.face(crate::text::Family::GeistMono, fonts.weight(style.face).min(700)));
    }
    if run.marks.del {
        manner.ink = inks.ink2();
    }
    if run.marks.mark {
        let seen = |c: &Color| c.contrast(inks.ground) >= MARKED.0 && inks.on(*c).ink().contrast(*c) >= MARKED.1;
        let bands = [inks.tint(), inks.accent(), inks.surface()];
        manner.band = bands.into_iter().find(seen);
        if let Some(band) = manner.band {
            manner.ink = inks.on(band).ink();
        }
    }
    (manner, face)
}

/// Whether a text has capitals and no small letters.
fn is_capitals(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}
