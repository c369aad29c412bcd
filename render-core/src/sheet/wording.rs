//! [`Plan`]: what a text is, and the [`Words`] that come of it in its surroundings.

use crate::design::{Flourish, Voice};
use crate::scene::{Color, TextLevel};
use crate::text::{Align, Fonts, Locale, Paragraph, TextSpan, TextStyle};
use crate::tree::{Fit, Marks, Run, Step};

use super::ranged::Ranged;
use super::setting::With;
use super::words::{Manner, Words};

/// How much heavier `strong` words are than the words around them.
const HEAVIER: u16 = 300;
/// Size and rise of `sup`, in em.
const SUP: (f32, f32) = (0.58, 0.36);
/// Size of code within words, against them.
const CODE: f32 = 0.92;
/// Contrast of a highlight to its ground, and of the ink to the highlight.
const MARKED: (f32, f32) = (1.12, 4.5);

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
