//! [`Plan`]: the properties of a text, and how it becomes [`Words`] in its surroundings.

use std::ops::Range;

use crate::content::words::is_function;
use crate::design::{Flourish, Part, SlotId, Voice, readable};
use crate::scene::{Color, TextLevel};
use crate::text::{Align, Fonts, Locale, Paragraph, TextSpan, TextStyle, addresses};
use crate::tree::{Fit, Marks, Run, Step};

use super::flourish::{self, Stress};
use super::inks::Inks;
use super::ranged::Ranged;
use super::setting::With;
use super::words::{Manner, Words};

/// Minimum leading of headlines with a band behind some words.
const BANDED: f32 = 1.05;
/// How much heavier `strong` words are than the words around them.
const HEAVIER: u16 = 300;
/// Size and shift of `sup`, in em.
const SUP: (f32, f32) = (0.58, 0.36);
/// Size of code relative to the words around it.
const CODE: f32 = 0.92;
/// Margin in du that opening marks need to hang in.
const HUNG: f32 = 40.0;
/// Width of an opening mark, in em.
const MARK: f32 = 0.55;
/// Space before a block, in em.
const BLOCK_ROOM: f32 = 0.09;
/// Least contrast of a block, and of the words on it: that of small text.
const BLOCK: f32 = 4.5;
/// Largest difference between an italic's weight and the requested weight.
const LIGHTER: u16 = 100;
/// Contrast of a highlight with its ground, and of the ink with the highlight.
const MARKED: (f32, f32) = (1.12, 4.5);
/// Contrast of a highlight behind large type with its ground.
const CLEAR: f32 = 1.5;

/// The properties of a text, for [`Words::new`].
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The id of its element.
    pub id: &'a str,
    /// Its typographic role.
    pub voice: Voice,
    /// Its range of sizes.
    pub fit: Fit,
    /// The maximum number of lines.
    pub lines: usize,
    /// Its level for legibility checks.
    pub level: TextLevel,
    /// Its colour; `None` for the ground's ink.
    pub ink: Option<Color>,
    /// Its alignment; `None` for that of its surroundings.
    pub align: Option<Align>,
    /// Its group.
    pub group: Option<&'a str>,
    /// Its weight, if it differs from the voice's.
    pub weight: Option<u16>,
    /// Letter spacing in addition to the voice's, in em.
    pub spacing: f32,
    /// Factor of the voice's line distance.
    pub leading: f32,
    /// Whether it uses the font for code.
    pub code: bool,
    /// Which of its words the style emphasises by itself.
    pub stress: Stress,
}

impl Plan<'_> {
    /// Plans a text in `voice` at one step of the scale, on at most `lines` lines.
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
            leading: 1.0,
            code: false,
            stress: Stress::None,
        }
    }

    /// Returns the plan with a range of sizes.
    pub fn fit(self, min: Step, max: Step) -> Self {
        Self { fit: Fit { min, max }, ..self }
    }
}

impl Words {
    /// Lays out the words of `runs` according to `plan` in the surroundings of `with`.
    pub fn new(runs: &[Run], plan: Plan<'_>, with: &With<'_>) -> Self {
        let setting = with.setting;
        let (plan, touched) = touched(plan, with);
        let stressed = stressed(runs, &plan, with);
        let runs = stressed.as_deref().unwrap_or(runs);
        let theme = setting.theme();
        let voice = theme.setting(plan.voice, &setting.faces);
        let family = if plan.code { crate::text::Family::GeistMono } else { voice.family };
        let face = setting.fonts.face(family, plan.weight.unwrap_or(voice.weight));
        let style = TextStyle {
            face,
            size: 1.0,
            tracking: plan.spacing + if plan.code { 0.0 } else { voice.tracking },
            leading: voice.leading * plan.leading,
            tabular: plan.voice == Voice::Data || plan.code,
            case: false,
            stylistic_set: if plan.code { 0 } else { voice.stylistic_set },
        };
        let ink = plan.ink.unwrap_or_else(|| with.inks.ink());
        let (text, mut spans, mut manners) = marked(runs, &plan, ink, style, with);
        // A band must stay clear of the descenders of the line above; the first line has none above it.
        let later = |tag: u8| spans.iter().any(|span| span.tag == tag && span.range.start > 0);
        let banded =
            plan.voice == Voice::Display && manners.iter().any(|manner| manner.band.is_some() && later(manner.tag));
        let style = TextStyle { leading: if banded { style.leading.max(BANDED) } else { style.leading }, ..style };
        if plan.id.parse() == Ok(SlotId::Cta) && spans.is_empty() {
            // Addresses in a picture can't be clicked, so they are underlined to stand out.
            for (tag, range) in (1..).zip(addresses(&text)) {
                spans.push(TextSpan::tagged(range, tag));
                manners.push(Manner { tag, ink, band: None, struck: false, wave: None, underlined: true });
            }
        }
        let align = plan.align.unwrap_or(with.align);
        let paragraph = Paragraph {
            text: &text,
            style: TextStyle { case: is_capitals(&text), ..style },
            locale: Locale::of(setting.language),
            align,
            balance: true,
            optical: !plan.code && !hangs_out(&text, plan.fit.max, with),
            spans: &spans,
        };
        let shaped = setting.shaped(&paragraph);
        let frame = with.frame;
        let least = if plan.level == TextLevel::Body { frame.least_text() } else { 0.0 };
        let sizes = [plan.fit.min, plan.fit.max].map(|step| frame.size(step).max(least));
        let (min, max) = touched.range(sizes[0], sizes[1]);
        Self {
            id: plan.id.to_owned(),
            size: Ranged { min, max },
            most: touched.most,
            floor: frame.floor(plan.fit.min).max(least).min(min),
            lines: touched.lines(plan.lines.max(1)),
            align,
            room: 0.0,
            group: plan.group.map(str::to_owned),
            level: plan.level,
            ink,
            across: None,
            manners,
            style,
            depth: shaped.depth(setting.fonts),
            rise: shaped.rise(setting.fonts),
            shaped,
            text,
        }
    }
}

/// Changes to a text's size from edits and the other pages of a set.
struct Touched {
    scale: f32,
    most: f32,
}

impl Touched {
    /// Returns the smallest and the largest size in du.
    fn range(&self, min: f32, max: f32) -> (f32, f32) {
        (min * self.scale, max * self.scale)
    }

    /// Returns the maximum number of lines: larger type takes more.
    fn lines(&self, lines: usize) -> usize {
        if self.scale > 1.0 { libm::ceilf(lines as f32 * self.scale) as usize } else { lines }
    }
}

/// Applies the changes from edits and the other pages of its set to a plan.
fn touched<'p>(plan: Plan<'p>, with: &With<'_>) -> (Plan<'p>, Touched) {
    let touches = with.setting.touches;
    let none = Touched { scale: 1.0, most: f32::INFINITY };
    let Some(slot) = (!plan.id.is_empty()).then(|| plan.id.parse::<SlotId>().ok()).flatten() else {
        return (plan, none);
    };
    let touched = Touched { most: touches.most(slot).unwrap_or(f32::INFINITY), ..none };
    let Some(adjust) = touches.adjust else { return (plan, touched) };
    let ink = adjust.ink(slot).map(|ink| readable(ink, with.inks.ground));
    let align = adjust.align.filter(|_| is_aligned(slot) && plan.align.is_none());
    let plan = Plan {
        ink: ink.or(plan.ink),
        align: align.or(plan.align),
        weight: adjust.weight(slot).or(plan.weight),
        // A colour from an edit applies to all words.
        ..plan
    };
    (plan, Touched { scale: adjust.scale(slot), ..touched })
}

/// Returns whether an edit's alignment applies to a text: to headline and supporting text, but not to rows and tiles.
fn is_aligned(slot: SlotId) -> bool {
    matches!(Part::of(slot), Some(Part::Headline | Part::Supporting | Part::Figure | Part::Attribution))
}

/// Returns the runs of a headline in which the style emphasises words by itself; `None` if it doesn't, or if the author
/// has marked some.
fn stressed(runs: &[Run], plan: &Plan<'_>, with: &With<'_>) -> Option<Vec<Run>> {
    let [run] = runs else { return None };
    if plan.stress == Stress::None || run.marks != Marks::default() || run.text.contains('\n') {
        return None;
    }
    // A block on every slide marks nothing. It belongs to the page that opens a set.
    let follows = with.setting.slide.is_some_and(|slide| slide.index > 0);
    if follows && with.theme().flourish == Flourish::Block {
        return None;
    }
    let text = run.text.as_str();
    let language = with.setting.language.primary();
    let joins = |word: &str| is_function(language, word);
    let range = match (plan.stress, with.theme().flourish) {
        (Stress::None, _) | (_, Flourish::None) => return None,
        (Stress::All, Flourish::Italic(..)) => 0..text.len(),
        (_, Flourish::Squiggle) => flourish::underlined(text, joins)?,
        (_, Flourish::Italic(..) | Flourish::Block) => flourish::tail(text, joins)?,
    };
    let part = |range: Range<usize>, em: bool| {
        let words = text.get(range).unwrap_or_default();
        // Emphasised words stay together on one line.
        let text = if em { words.trim_end().replace(' ', "\u{a0}") } else { words.to_owned() };
        Run { text, marks: Marks { em, ..Marks::default() } }
    };
    let parts = [part(0..range.start, false), part(range.clone(), true), part(range.end..text.len(), false)];
    Some(parts.into_iter().filter(|run| !run.text.is_empty()).collect())
}

/// Returns whether a text begins with a mark that would hang out of the format's safe area, because content begins at
/// its edge.
fn hangs_out(text: &str, largest: Step, with: &With<'_>) -> bool {
    let frame = with.frame;
    let safe = with.setting.format.safe_rect_du();
    let margin = if frame.rtl { safe.x1 - frame.room.x1 } else { frame.room.x0 - safe.x0 };
    // The marks of very large texts can be as wide as the margin.
    let mark = if with.setting.touches.generous { MARK * frame.size(largest) } else { 0.0 };
    text.starts_with(|c: char| !c.is_alphanumeric()) && margin < mark.max(HUNG * frame.k)
}

/// Returns the text of runs, its spans, and their manners.
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
        let (manner, face, scale) = manner(run, plan, ink, style, with);
        (span.face, span.scale) = (face, scale);
        if manner.band.is_some() && from > 0 && run.marks.em {
            span.kern = BLOCK_ROOM;
        }
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

/// Returns the manner of a run with marks: its ink and band, and its font if it has another.
fn manner(
    run: &Run,
    plan: &Plan<'_>,
    ink: Color,
    style: TextStyle,
    with: &With<'_>,
) -> (Manner, Option<crate::text::FaceId>, f32) {
    let (setting, inks) = (with.setting, &with.inks);
    let fonts: &Fonts = setting.fonts;
    let mut manner = Manner { tag: 0, ink, band: None, struck: run.marks.del, wave: None, underlined: run.marks.u };
    let (mut face, mut scale) = (None, 1.0);
    if run.marks.em {
        match setting.theme().flourish {
            // A style with an italic uses it for emphasis; others use the accent.
            Flourish::Italic(family, weight, by) if plan.voice == Voice::Display => {
                let turned = fonts.face(family, plan.weight.unwrap_or(weight));
                let near = plan.weight.is_none_or(|w| fonts.weight(turned).abs_diff(w) <= LIGHTER);
                face = Some(turned).filter(|_| near && fonts.covers_text(family, &run.text));
                scale = if face.is_some() { by } else { 1.0 };
            }
            Flourish::Squiggle if plan.voice == Voice::Display && flourish::stands_clear(&run.text) => {
                manner.wave = Some(setting.palette.accent2);
            }
            Flourish::Block if plan.voice == Voice::Display && inks.ground.contrast(ink) >= BLOCK => {
                (manner.band, manner.ink) = (Some(ink), inks.ground);
            }
            _ => {}
        }
        if face.is_none() && manner.wave.is_none() && manner.band.is_none() {
            let large = plan.voice == Voice::Display;
            // If no other colour of the palette is readable on the ground, a band emphasises the words.
            match (inks.emphasis(ink, large), band(inks, large)) {
                (Some(other), _) => manner.ink = other,
                (None, Some(under)) => (manner.band, manner.ink) = (Some(under), inks.on(under).ink()),
                (None, None) => manner.ink = inks.accent_ink(),
            }
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
        manner.band = band(inks, false);
        if let Some(band) = manner.band {
            manner.ink = inks.on(band).ink();
        }
    }
    (manner, face, scale)
}

/// Returns the band behind emphasised words: it is visible on the ground, and its ink is readable on it. Behind `large`
/// type a band with more contrast is preferred. Dark words on a faint band among light words look like a mistake, and
/// so do light words among dark ones, so only a band with clear contrast may reverse light and dark.
fn band(inks: &Inks, large: bool) -> Option<Color> {
    let seen = |c: &Color, least: f32| c.contrast(inks.ground) >= least && inks.on(*c).ink().contrast(*c) >= MARKED.1;
    let is_light = |inks: &Inks| inks.ink().luminance() > inks.ground.luminance();
    let bands = [inks.tint(), inks.accent(), inks.surface()];
    let clear = bands.into_iter().find(|c| large && seen(c, CLEAR));
    let faint = |c: &Color| seen(c, MARKED.0) && is_light(&inks.on(*c)) == is_light(inks);
    clear.or_else(|| bands.into_iter().find(|c| faint(c) || seen(c, CLEAR)))
}

/// Returns whether a text has capitals and no lower-case letters.
fn is_capitals(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}
