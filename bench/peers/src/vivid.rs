//! The slide with Vivid: its own text layout, a hand-built scene, its renderer and its encoder.

use std::time::Instant;

use anyhow::Result;
use render_core::encode::{ImageFormat, encode};
use render_core::scene::{Affine, Canvas, Color, Coverage, Item, Paint, Point, Rect, Role, Scene, Size, Stop};
use render_core::text::{Align, Fonts, Locale, Paragraph, TextStyle, layout};
use worker::renderer::Renderer;

use crate::Peer;
use crate::report::VIVID;
use crate::slide::{self, Rgb, Shape, Slide, Stand, Text};

/// The stages that [`Vivid::timed`] times, in order.
pub const STAGES: [&str; 3] = ["compose", "raster", "encode"];

pub struct Vivid {
    renderer: Renderer,
    dithered: bool,
}

impl Vivid {
    /// Keeps a pixel buffer for each image in flight.
    pub fn new(fonts: Fonts, lanes: usize, dithered: bool) -> Self {
        Self { renderer: Renderer::cpu(fonts, lanes), dithered }
    }

    /// Returns the image, and the milliseconds of its [`STAGES`].
    pub fn timed(&self, slide: &Slide, (width, height): (u32, u32)) -> Result<(Vec<u8>, [f64; STAGES.len()])> {
        let mut ms = [0.0; STAGES.len()];
        let mut then = Instant::now();
        let mut lap = |stage: usize| {
            let now = Instant::now();
            ms[stage] = (now - std::mem::replace(&mut then, now)).as_secs_f64() * 1_000.0;
        };
        let scene = compose(slide, self.renderer.fonts());
        lap(0);
        let canvas = Canvas::new(width, height);
        let canvas = if self.dithered { canvas } else { canvas.undithered() };
        let drawn = self.renderer.draw(&scene, canvas)?;
        lap(1);
        let bytes = encode(&drawn, ImageFormat::Png)?;
        lap(2);
        Ok((bytes, ms))
    }
}

impl Peer for Vivid {
    fn name(&self) -> &'static str {
        VIVID
    }

    fn version(&self) -> String {
        crate::locked("render-core")
    }

    fn png(&self, slide: &Slide, size: (u32, u32), _lane: usize) -> Result<Vec<u8>> {
        Ok(self.timed(slide, size)?.0)
    }
}

fn color(c: Rgb) -> Color {
    Color::rgb8(c.0, c.1, c.2)
}

fn compose(slide: &Slide, fonts: &Fonts) -> Scene {
    let [from, to] = slide::gradient_ends();
    let stop = |offset: f32, c: Rgb| Stop { offset, color: color(c) };
    let ground = Paint::Linear { from, to, stops: [stop(0.0, slide::GROUND[0]), stop(1.0, slide::GROUND[1])].into() };
    let canvas = Rect::new(0.0, 0.0, slide::WIDTH, slide::HEIGHT);
    let mut items = vec![Item::new(Coverage::Rect { rect: canvas, radii: [0.0; 4], stroke: None }, ground, Role::Art)];
    for shape in &slide.shapes {
        match *shape {
            Shape::Card(rect, fill) => {
                let shadow = Coverage::Shadow {
                    rect: rect.shift(0.0, slide::SHADOW_DOWN),
                    radius: slide::CARD_RADIUS,
                    sigma: slide::SHADOW_SIGMA,
                };
                let shade = Paint::Solid(color(slide::SHADOW).alpha(slide::SHADOW_ALPHA));
                items.push(Item::new(shadow, shade, Role::Field));
                items.push(Item::rounded(rect, [slide::CARD_RADIUS; 4], color(fill), Role::Field));
            }
            Shape::Disc(center, radius, fill) => items.push(Item::circle(center, radius, color(fill), Role::Mark)),
        }
    }
    for (block, text) in (0..).zip(&slide.texts) {
        set(text, fonts, Role::Text(block), &mut items);
    }
    let size = Size::new(slide::WIDTH, slide::HEIGHT);
    Scene { size, background: color(slide::GROUND[0]), items, layers: Vec::new(), blocks: Vec::new() }
}

fn set(text: &Text, fonts: &Fonts, role: Role, items: &mut Vec<Item>) {
    let face = text.face.id(fonts);
    let style = TextStyle {
        face,
        size: text.size,
        tracking: text.tracking,
        leading: text.step / text.size,
        tabular: false,
        case: false,
        stylistic_set: 0,
    };
    let align = match text.stand {
        Stand::Start => Align::Start,
        Stand::Center => Align::Center,
        Stand::End => Align::End,
    };
    let locale = Locale::default();
    let paragraph = Paragraph { text: &text.words, style, locale, align, balance: false, optical: false, spans: &[] };
    let laid = layout(fonts, &paragraph, text.width);
    let at = Point::new(text.x, text.baseline - fonts.metrics(face).cap_height * text.size);
    items.extend(laid.runs.into_iter().map(|run| Item {
        transform: Affine::translate(at.x, at.y),
        coverage: Coverage::Glyphs(run.glyphs),
        paint: Paint::Solid(color(text.color)),
        role,
    }));
}
