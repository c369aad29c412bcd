//! [`Setter`]: the hand that sets type and draws shapes on one page. Archetypes tell it what to put where.

use std::collections::BTreeSet;
use std::ops::Range;

use super::charts::Labels;
use super::edited;
use super::emphasis::Accent;
use super::flourish;
use super::frame::Frame;
use super::heading;
use super::inks::Inks;
use super::pages::lines_grown;
pub(super) use super::spec::{Set, Spec, Value};
use super::split::{self, Split};
use crate::art::Easel;
use crate::content::Direction;
use crate::design::{Archetype, Field, Flourish, Page, Recipe, SlotId, Stand, Style, Theme, Voice, Writing};
use crate::scene::{
    Affine, Clip, Color, Coverage, FillRule, Item, Layer, LineBox, Paint, Rect, Role, Scene, Size, Spot, TextBlock,
};
use crate::sheet::marks;
use crate::text::emoji::Emoji;
use crate::text::{Align, Family, Fit, Fonts, Locale, Paragraph, PlacedEmoji, ShapedTexts, TextSpan, TextStyle};

/// The size in du from which tracking is the display's, and the size up to which it is text's.
const TRACK_DISPLAY: f32 = 88.0;
const TRACK_TEXT: f32 = 34.0;

/// What of its size a headline gives for one line less.
const A_LITTLE: f32 = 0.84;
/// What the first line of a headline takes of its longest, at the least, where a little smaller type gives it that.
const OPENING: f32 = 0.56;

/// Least weight of an Arabic headline.
const ARABIC: u16 = 600;

/// Least distance in du that a hung mark keeps from the canvas's edge.
const EDGE: f32 = 53.0;
/// Ink this far left of its box, in em, hangs; less is overshoot.
const HANGING: f32 = 0.12;

/// The tag of words that the source emphasises.
const EMPHASISED: u8 = 1;
/// The tag of words that a line is drawn under.
pub(super) const UNDERLINED: u8 = 2;

/// Whether the letters of `text` are capitals, two at the least.
fn is_capitals(text: &str) -> bool {
    text.chars().filter(|c| c.is_uppercase()).nth(1).is_some() && !text.chars().any(char::is_lowercase)
}

/// How many characters of `text` stand in `range`.
pub(super) fn characters(text: &str, range: &std::ops::Range<usize>) -> u32 {
    text.get(range.clone()).map_or(0, |t| t.chars().count() as u32)
}

pub(super) struct Setter<'a> {
    pub page: &'a Page,
    pub theme: &'static Theme,
    pub fonts: &'a Fonts,
    /// Layouts try sizes and widths; texts are shaped once for all of them.
    shaped: &'a ShapedTexts,
    /// The page number as it stands in the foot; empty on a page of its own.
    pub counter: &'a str,
    /// 1, 2, 3, … as the page's language writes them.
    pub numerals: &'a [String],
    /// The page's figure.
    pub value: &'a Value,
    /// The title in capitals.
    pub capitals: &'a str,
    /// What its charts say beside its slots.
    pub labels: &'a Labels,
    pub frame: Frame,
    /// How the page is divided.
    pub split: Split,
    /// The inks of its parts.
    pub parts: [Inks; 2],
    /// Lies under everything and isn't mirrored.
    under: Vec<Item>,
    grounds: Vec<Item>,
    art: Vec<Item>,
    pub fields: Vec<Item>,
    /// Groups of art; their ranges count the art's items, which come first in the scene.
    layers: Vec<Layer>,
    pub texts: Vec<Item>,
    /// Texts, by their places among the items, that are seen within a rectangle only.
    clips: Vec<(Range<usize>, Rect)>,
    pub blocks: Vec<TextBlock>,
    pub missing: BTreeSet<char>,
    /// The headline stands on a band of the palette's field.
    pub banded: bool,
    /// Where the address at the end of the foot's line begins, on a page whose source stands at the start of that line.
    pub signed_from: Option<f32>,
    /// The page is cut by a wave, under which its foot stands on the palette's field.
    pub cut: bool,
    /// Some text is below its range, over its lines or has a broken word.
    pub misfit: bool,
}

/// Whether the first of several lines is far shorter than the longest.
fn opens_alone(fit: &Fit) -> bool {
    let widths = || fit.laid.lines.iter().map(|l| l.width);
    let first = widths().next().unwrap_or(0.0);
    fit.laid.lines.len() > 1 && first < OPENING * widths().fold(0.0, f32::max)
}

impl<'a> Setter<'a> {
    pub fn new(
        page: &'a Page,
        (fonts, shaped): (&'a Fonts, &'a ShapedTexts),
        counter: &'a str,
        numerals: &'a [String],
        value: &'a Value,
        capitals: &'a str,
        labels: &'a Labels,
    ) -> Self {
        let theme = Theme::of(page.style);
        let frame = Frame::of(page, theme);
        let split = Split::of(page, theme, &frame);
        Self {
            page,
            theme,
            fonts,
            shaped,
            counter,
            numerals,
            value,
            capitals,
            labels,
            banded: theme.band && page.field == Field::Base && page.archetype.takes_band() && frame.has_chrome(),
            cut: page.style == Style::Creative
                && page.archetype == Archetype::CoverType
                && page.field == Field::Base
                && page.art.is_none_or(|art| art.recipe == Recipe::Waves)
                && page.adjust.stand.is_none_or(|stand| stand == Stand::Top)
                && frame.text.w() < 1.22 * frame.text.h(),
            frame,
            split,
            parts: split::parts(page, theme, split, &frame),
            under: Vec::new(),
            grounds: Vec::new(),
            art: Vec::new(),
            layers: Vec::new(),
            fields: Vec::new(),
            texts: Vec::new(),
            clips: Vec::new(),
            blocks: Vec::new(),
            missing: BTreeSet::new(),
            signed_from: None,
            misfit: false,
        }
    }

    /// The page's words for a slot.
    pub fn text(&self, id: SlotId) -> Option<&'a str> {
        self.page.text(id)
    }

    /// Face and spacing of a voice at a size. Tracking tightens as size grows.
    pub fn style(&self, voice: Voice, size: f32) -> TextStyle {
        let s = self.theme.setting(voice, &self.page.faces);
        let text = self.theme.setting(Voice::Body, &self.page.faces).tracking;
        let tracking = match voice {
            Voice::Display | Voice::Head => {
                let t = ((size - TRACK_TEXT) / (TRACK_DISPLAY - TRACK_TEXT)).clamp(0.0, 1.0);
                text + (s.tracking - text) * if voice == Voice::Head { 1.0 } else { t }
            }
            _ => s.tracking,
        };
        // Large headlines stand tighter than small ones, which need air between their lines to be read.
        let leading = match voice {
            Voice::Display => s.leading + 0.08 * ((90.0 - size) / 60.0).clamp(0.0, 1.0),
            _ => s.leading,
        };
        // Arabic letters stand on few strokes: at a headline's light weight they are thin for their size.
        let own = matches!(s.family, Family::Added(_) | Family::OwnHeading | Family::OwnBody);
        let loud = matches!(voice, Voice::Display | Voice::Head) && self.is_arabic() && !own && s.weight < ARABIC;
        let face = if loud {
            let persian = self.page.locale.language.primary() != "ar";
            self.fonts.face(s.family.arabic(persian), ARABIC)
        } else {
            self.fonts.face(s.family, s.weight)
        };
        TextStyle {
            face,
            size,
            tracking,
            leading,
            tabular: voice == Voice::Data,
            // A minus or a bracket stands as high as the figures beside it.
            case: matches!(voice, Voice::Figure),
            stylistic_set: s.stylistic_set,
        }
    }

    /// That of a text, in the weight that an edit asked for.
    pub fn style_of(&self, spec: &Spec<'_>, size: f32) -> TextStyle {
        let style = self.style(spec.voice, size);
        match self.page.adjust.weight(spec.slot) {
            Some(weight) => TextStyle { face: self.fonts.face(self.fonts.family(style.face), weight), ..style },
            None => style,
        }
    }

    /// Whether the page is read from right to left. It is composed as if it weren't, and mirrored in the end: what
    /// stands at the start stands left until then.
    pub fn is_rtl(&self) -> bool {
        self.page.locale.language.direction() == Direction::Rtl
    }

    fn is_arabic(&self) -> bool {
        self.is_rtl() && !matches!(self.page.locale.language.primary(), "he" | "yi")
    }

    /// Whether a fine frame stands around the page.
    pub fn is_framed(&self) -> bool {
        let size = self.frame.size;
        self.theme.frame.is_some() && size.short() >= 900.0 && size.aspect() <= 2.6 && self.frame.has_chrome()
    }

    /// Sets a text in a width: the largest size of its range at which it keeps its lines.
    pub fn set(&self, spec: Spec<'a>, width: f32) -> Set<'a> {
        self.set_at_most(spec, width, f32::INFINITY)
    }

    /// As [`Self::set`], in a box.
    pub fn set_at_most(&self, spec: Spec<'a>, width: f32, height: f32) -> Set<'a> {
        let (spec, height) = edited::spec(self, spec, height);
        let width = spec.measure.map_or(width, |em| width.min(em * spec.range.1));
        let bounds = Size::new(width, height);
        let mut fitted = self.fitted(&spec, bounds, spec.hangs);
        // Text stands nowhere further left than the frame: where the mark has no room there, it has none at all.
        let edge = self.page.format.format().safe_rect_du().x0.max(EDGE);
        let rtl = self.is_rtl();
        let along = edited::along(self, &spec, width);
        let flush = !spec.hangs;
        let set = Set { spec, laid: fitted.laid, width, fits: fitted.fits, flush, rtl, along };
        let out = set.overhang();
        if flush || self.frame.text.x0 - out >= edge || out <= HANGING * fitted.size {
            return set;
        }
        fitted = self.fitted(&set.spec, bounds, false);
        Set { laid: fitted.laid, fits: fitted.fits, flush: true, ..set }
    }

    fn fitted(&self, spec: &Spec<'a>, bounds: Size, optical: bool) -> Fit {
        let style = self.style_of(spec, spec.range.1);
        let style = TextStyle { leading: style.leading.max(spec.leading.unwrap_or(0.0)), ..style };
        let mut spans = spec.spans.clone();
        if spans.is_empty() {
            // Words that are emphasised stand out as the style's own words do, where it has such a habit.
            spans = flourish::emphasised(self, spec, self.emphasised(spec));
        }
        if spans.is_empty()
            && let Some(Accent { face, .. }) = self.accent(spec)
        {
            spans = self.emphasised(spec).map(|r| TextSpan { face, ..TextSpan::tagged(r, EMPHASISED) }).collect();
        }
        let flourished = spans.is_empty();
        if flourished {
            spans = flourish::spans(self, spec, true);
        }
        let mut fitted = self.laid(spec, style, &spans, bounds, optical);
        // Words that are told apart are told apart as one: a phrase that breaks is its last word alone.
        if flourished && flourish::breaks(&fitted.laid) {
            let fewer = flourish::spans(self, spec, false);
            if fewer != spans {
                fitted = self.laid(spec, style, &fewer, bounds, optical);
            }
        }
        fitted
    }

    fn laid(&self, spec: &Spec<'a>, style: TextStyle, spans: &[TextSpan], bounds: Size, optical: bool) -> Fit {
        let (min, max) = spec.range;
        let paragraph = Paragraph {
            text: spec.text,
            style: TextStyle { case: style.case || is_capitals(spec.text), ..style },
            locale: Locale::of(&self.page.locale.language),
            align: spec.align,
            balance: true,
            optical,
            spans,
        };
        let mut fitted = self.shaped.fit(self.fonts, &paragraph, bounds, (min, max), spec.lines);
        // A headline of one line less reads better than one a little larger.
        let lines = fitted.laid.lines.len();
        let filling = self.theme.flourish == Flourish::Block;
        let loud = filling || spec.loud;
        if spec.voice == Voice::Display && fitted.fits && lines >= 3 && !loud {
            let least = (fitted.size * A_LITTLE).max(min);
            let fewer = self.shaped.fit(self.fonts, &paragraph, bounds, (least, fitted.size.max(least)), lines - 1);
            if fewer.fits {
                fitted = fewer;
            }
        }
        // Nor does one that opens with a word on a line of its own.
        if spec.voice == Voice::Display && fitted.fits && !filling && opens_alone(&fitted) {
            let lines = fitted.laid.lines.len();
            let smaller = [0.97, 0.94, 0.91].map(|by| by * fitted.size).into_iter().filter(|s| *s >= min);
            let fuller = smaller
                .map(|most| self.shaped.fit(self.fonts, &paragraph, bounds, (min, most), lines))
                .find(|f| f.fits && f.laid.lines.len() == lines && !opens_alone(f));
            fitted = fuller.unwrap_or(fitted);
        }
        fitted
    }

    /// What of a text the source emphasises. The text may be a part of its slot's.
    fn emphasised(&self, spec: &Spec<'a>) -> impl Iterator<Item = std::ops::Range<usize>> + use<'a> {
        let slot = self.page.slots.iter().find(|s| s.id == spec.slot && !s.emphasis.is_empty());
        let found = slot.and_then(|s| Some((s, s.text.find(spec.text)?)));
        let len = spec.text.len();
        found.into_iter().flat_map(move |(slot, from)| {
            let within = move |at: u32| (at as usize).saturating_sub(from).min(len);
            slot.emphasis.iter().map(move |r| within(r.start)..within(r.end)).filter(|r| r.start < r.end)
        })
    }

    /// How emphasised words of a text are set; `None` where it has none, or they can't be told apart.
    fn accent(&self, spec: &Spec<'a>) -> Option<Accent> {
        let words: Vec<&str> = self.emphasised(spec).filter_map(|r| spec.text.get(r)).collect();
        let face = self.style_of(spec, spec.range.1).face;
        if words.is_empty() { None } else { Accent::of(self, spec, face, &words.join(" ")) }
    }

    /// Puts a set text with its cap line at `y` and its box's left edge at `x`.
    pub fn place(&mut self, set: &Set<'a>, x: f32, y: f32) {
        let index = self.blocks.len() as u32;
        let x = if (x - self.frame.text.x0).abs() < 1.0 { x + set.along } else { x };
        let x = if set.rtl { self.frame.size.w - x - set.width } else { x };
        let (laid, spec) = (&set.laid, &set.spec);
        let role = Role::Text(index);
        let face = self.style_of(spec, laid.size).face;
        let accent = self.accent(spec).filter(|_| spec.spans.is_empty());
        let ink_of = |tag: u8| spec.inks.iter().find(|(of, _)| *of == tag).map(|(_, ink)| *ink);
        let inked = laid.pieces.iter().filter_map(|p| Some((p, ink_of(p.tag)?)));
        let mut spots: Vec<Spot> = inked.map(|(p, color)| Spot { ink: p.ink.shift(x, y), color, on: None }).collect();
        if let Some(Accent { color, band, .. }) = accent {
            let cap = self.fonts.metrics(face).cap_height;
            for piece in laid.pieces.iter().filter(|p| p.tag == EMPHASISED) {
                self.texts.extend(band.and_then(|c| marks::band(self.fonts, laid, piece, cap, (x, y), c, role)));
                spots.push(Spot { ink: piece.ink.shift(x, y), color, on: band });
            }
        }
        if self.emphasised(spec).next().is_some() {
            // Those that stand out as the style's own words do.
            let own = laid.pieces.iter().filter(|p| matches!(p.tag, flourish::TURNED | flourish::SQUIGGLED));
            spots.extend(own.map(|p| Spot { ink: p.ink.shift(x, y), color: spec.color, on: None }));
        }
        self.texts.extend(marks::underline(self.fonts, laid, UNDERLINED, face, (x, y), spec.color, role));
        for piece in laid.pieces.iter().filter(|p| p.tag == flourish::SQUIGGLED) {
            let baseline = laid.lines.get(piece.line).map_or(0.0, |l| l.baseline);
            // It is the text's own: what stands near it stands near the text.
            let item = flourish::squiggle(self, piece.ink.shift(x, y), y + baseline, laid.size);
            self.texts.push(Item { role, ..item });
        }
        let ground = spec.ground.unwrap_or(self.page.palette.bg);
        for piece in laid.pieces.iter().filter(|p| p.tag == flourish::BLOCKED) {
            let cap = self.fonts.metrics(face).cap_height;
            self.texts.extend(marks::band(self.fonts, laid, piece, cap, (x, y), spec.color, role));
            spots.push(Spot { ink: piece.ink.shift(x, y), color: ground, on: Some(spec.color) });
        }
        for run in &laid.runs {
            let blocked = (run.tag == flourish::BLOCKED).then_some(ground);
            let emphasis = accent.filter(|_| run.tag == EMPHASISED).map(|a| a.color);
            let color = ink_of(run.tag).or(blocked).or(emphasis).unwrap_or(spec.color);
            self.texts.push(Item {
                transform: Affine::translate(x, y),
                coverage: Coverage::Glyphs(run.glyphs.clone()),
                paint: Paint::Solid(color),
                role,
            });
        }
        self.place_emoji(&laid.emoji, Affine::translate(x, y), role);
        if let Some(color) = spec.struck {
            let weight = self.theme.stroke.min(6.0) * self.frame.k;
            let rise = 0.5 * self.fonts.metrics(face).x_height * laid.size;
            self.texts.extend(marks::strike(laid, rise, weight, (x, y), color, role));
        }
        self.missing.extend(&laid.missing);
        self.misfit |= !set.fits || laid.broken_word;
        let lines = laid.lines.iter().map(|l| LineBox {
            ink: l.ink.shift(x, y),
            baseline: y + l.baseline,
            chars: characters(spec.text, &l.range),
        });
        self.blocks.push(TextBlock {
            lines: lines.collect(),
            centered: spec.align == Align::Center,
            spots,
            ..self.block(spec, laid.size, laid.ink.shift(x, y), Rect::at(x, y, set.width, laid.height))
        });
    }

    /// Puts a set text where it crosses the edge of a `field` of the page that is filled with `color`: what of it stands
    /// on the field has the ink `on`.
    pub fn place_across(&mut self, set: &Set<'a>, (x, y): (f32, f32), field: Rect, color: Color, on: Color) {
        let from = self.texts.len();
        self.place(set, x, y);
        // Under the field lie the glyphs as they stand above it, so that none of their edges shows through.
        self.under.extend(self.texts[from..].iter().cloned());
        self.under.push(Item::rect(field, color, Role::Field));
        // Where the style outlines its fields, the edge is drawn too.
        let edge = self.theme.card.map_or(0.0, |card| card.stroke) * self.frame.k;
        if edge > 0.0 {
            let line = Rect { y0: field.y0 - edge / 2.0, y1: field.y0 + edge / 2.0, ..field };
            self.under.push(Item::rect(line, self.page.palette.ink, Role::Field));
        }
        self.texts[from..].iter_mut().for_each(|item| item.paint = Paint::Solid(on));
        self.clips.push((from..self.texts.len(), field));
        if let Some(block) = self.blocks.last_mut() {
            let ink = block.ink.grow(2.0 * EDGE).intersect(&field);
            block.spots.push(Spot { ink, color: on, on: Some(color) });
        }
    }

    /// Draws the pictures among the glyphs of a text.
    pub fn place_emoji(&mut self, emoji: &[PlacedEmoji], at: Affine, role: Role) {
        for PlacedEmoji { id, rect, .. } in emoji {
            let square = at.after(&Affine::translate(rect.x0, rect.y0)).after(&Affine::scale(rect.w()));
            self.texts.extend(Emoji::picture(*id).layers.into_iter().map(|layer| Item {
                transform: square,
                coverage: Coverage::Path { path: layer.path, rule: FillRule::NonZero },
                paint: layer.paint,
                role,
            }));
        }
    }

    /// What the scene tells of a text that is set at `size` in `slot_box`; its lines are still to come.
    pub fn block(&self, spec: &Spec<'_>, size: f32, ink: Rect, slot_box: Rect) -> TextBlock {
        let face = self.style_of(spec, size).face;
        TextBlock {
            slot: spec.slot.to_string(),
            level: spec.level,
            text: spec.text.to_owned(),
            size,
            weight: self.fonts.weight(face),
            family: self.fonts.family(face).name(),
            color: spec.color,
            ink,
            slot_box,
            lines: Vec::new(),
            centered: false,
            spots: Vec::new(),
            vertical: false,
        }
    }

    /// The inks at the left and at the right end of the page's foot.
    pub fn foot(&self) -> [Inks; 2] {
        let shape = Frame::shape_of(&self.frame.text);
        if self.banded && heading::stands_beside(self.page.archetype, shape) {
            return [Inks::field(&self.page.palette), self.parts[1]];
        }
        match self.split {
            _ if self.cut => [Inks::field(&self.page.palette); 2],
            Split::Stacked => [self.parts[1]; 2],
            Split::Whole | Split::Beside(_) => self.parts,
        }
    }

    /// Lays the page out by the first of `options` with which everything fits, else by the last of them.
    pub fn first_fit<T>(&mut self, options: &[T], layout: impl Fn(&mut Self, &T)) {
        let misfit = std::mem::take(&mut self.misfit);
        let lengths = [&self.grounds, &self.art, &self.fields, &self.texts].map(|items| items.len());
        let (layers, blocks) = (self.layers.len(), self.blocks.len());
        for (n, option) in options.iter().enumerate() {
            layout(self, option);
            if !self.misfit || n + 1 == options.len() {
                break;
            }
            let drawn = [&mut self.grounds, &mut self.art, &mut self.fields, &mut self.texts];
            drawn.into_iter().zip(lengths).for_each(|(items, length)| items.truncate(length));
            self.layers.truncate(layers);
            self.blocks.truncate(blocks);
            self.misfit = false;
        }
        self.misfit |= misfit;
    }

    /// Draws a part of the page's ground: under everything.
    pub fn ground(&mut self, item: Item) {
        self.grounds.push(item);
    }

    /// Draws art: over the ground, under everything else.
    pub fn art(&mut self, item: Item) {
        self.art.push(item);
    }

    /// Draws art on an easel that knows this page.
    pub fn easel(&mut self, draw: impl FnOnce(&mut Easel)) {
        let Frame { size, k, text, .. } = self.frame;
        let mut easel = Easel {
            vertical: self.page.writing == Writing::Vertical,
            grounds: self.parts.map(|part| part.ground),
            lines: lines_grown(self, 0.0),
            ..Easel::new(size, k, text, self.page.palette, self.theme)
        };
        draw(&mut easel);
        let from = self.art.len();
        self.layers.extend(
            easel
                .layers
                .into_iter()
                .map(|layer| Layer { items: layer.items.start + from..layer.items.end + from, ..layer }),
        );
        self.art.extend(easel.items);
    }

    /// Mirrors the art that was drawn so far: on a page that is read from the right, it stands at the left.
    pub fn mirror_art(&mut self) {
        let mirror = self.mirror();
        mirror_all(&mirror, &mut self.art, &mut self.layers);
    }

    fn mirror(&self) -> Affine {
        Affine([-1.0, 0.0, 0.0, 1.0, self.frame.size.w, 0.0])
    }

    /// Draws a field or a mark: over art, under text.
    pub fn mark(&mut self, item: Item) {
        self.fields.push(item);
    }

    /// A horizontal rule with its middle at `y`.
    pub fn rule(&mut self, x0: f32, x1: f32, y: f32, color: Color) {
        // Rules stay rules, but in a style of thick lines they are no hairlines.
        let t = (0.7 * self.theme.rule).clamp(2.0_f32.min(self.theme.rule), 4.0) * self.frame.k;
        self.mark(Item::rect(Rect::new(x0, y - t / 2.0, x1, y + t / 2.0), color, Role::Mark));
    }

    /// The finished scene.
    pub fn into_scene(self) -> Scene {
        let (rtl, mirror) = (self.is_rtl(), self.mirror());
        let (mut items, mut layers) = (self.grounds, self.layers);
        let before = self.under.len() + items.len();
        items.extend(self.art);
        items.extend(self.fields);
        if rtl {
            // Text already stands on its side.
            mirror_all(&mirror, &mut items, &mut layers);
        }
        items.splice(0..0, self.under);
        for layer in &mut layers {
            layer.items = layer.items.start + before..layer.items.end + before;
        }
        let from = items.len();
        items.extend(self.texts);
        layers.extend(self.clips.into_iter().map(|(range, rect)| {
            let coverage = Coverage::Rect { rect, radii: [0.0; 4], stroke: None };
            let clip = Some(Clip { transform: Affine::IDENTITY, coverage });
            Layer { clip, ..Layer::new(from + range.start..from + range.end) }
        }));
        Scene { size: self.frame.size, background: self.page.palette.bg, items, layers, blocks: self.blocks }
    }
}

fn mirror_all(mirror: &Affine, items: &mut [Item], layers: &mut [Layer]) {
    let clips = layers.iter_mut().filter_map(|layer| layer.clip.as_mut()).map(|clip| &mut clip.transform);
    for transform in items.iter_mut().map(|item| &mut item.transform).chain(clips) {
        *transform = mirror.after(transform);
    }
}
