//! The slide with resvg: an SVG built, parsed, rendered and encoded for every image. SVG doesn't break lines, so it
//! gets the broken lines.

use std::fmt::Write as _;
use std::sync::Arc;

use ::resvg::tiny_skia::{Pixmap, Transform};
use ::resvg::usvg::fontdb::{Database, FaceInfo, ID, Language, Source, Stretch, Style, Weight};
use ::resvg::usvg::{Options, Tree};
use anyhow::{Context as _, Result};
use render_core::scene::Rect;
use render_core::text::Fonts;

use crate::Peer;
use crate::slide::{self, Face, Rgb, Shape, Slide, Stand};

pub struct Resvg {
    options: Options<'static>,
}

impl Resvg {
    /// Uses the same faces as the other renderers.
    pub fn new(fonts: &Fonts) -> Self {
        let mut faces = Database::new();
        for face in Face::ALL {
            faces.push_face_info(FaceInfo {
                // The font database assigns its own id.
                id: ID::dummy(),
                source: Source::Binary(Arc::new(fonts.bytes(face.id(fonts)).to_vec())),
                index: 0,
                families: vec![(face.name().to_owned(), Language::English_UnitedStates)],
                post_script_name: face.name().to_owned(),
                style: Style::Normal,
                weight: Weight::NORMAL,
                stretch: Stretch::Normal,
                monospaced: false,
            });
        }
        Self { options: Options { fontdb: Arc::new(faces), ..Options::default() } }
    }
}

impl Peer for Resvg {
    fn name(&self) -> &'static str {
        "resvg"
    }

    fn version(&self) -> String {
        crate::locked("resvg")
    }

    fn png(&self, slide: &Slide, (width, height): (u32, u32), _lane: usize) -> Result<Vec<u8>> {
        let tree = Tree::from_str(&svg(slide, (width, height))?, &self.options)?;
        let mut pixmap = Pixmap::new(width, height).context("a pixmap")?;
        ::resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
        Ok(pixmap.encode_png()?)
    }
}

fn svg(slide: &Slide, (width, height): (u32, u32)) -> Result<String> {
    let (w, h) = (slide::WIDTH, slide::HEIGHT);
    let [from, to] = slide::gradient_ends();
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {w} {h}"><defs>
<linearGradient id="ground" gradientUnits="userSpaceOnUse" x1="{}" y1="{}" x2="{}" y2="{}">"#,
        from.x, from.y, to.x, to.y
    );
    for (offset, [r, g, b]) in slide::ground_in_srgb() {
        let [r, g, b] = [r, g, b].map(|v| v * 100.0);
        write!(out, r#"<stop offset="{offset}" stop-color="rgb({r}%,{g}%,{b}%)"/>"#)?;
    }
    out += "</linearGradient>";
    // A filter region for each shadow: three standard deviations contain everything visible.
    let cast = |rect: &Rect| rect.shift(0.0, slide::SHADOW_DOWN);
    for (k, shape) in slide.shapes.iter().enumerate() {
        if let Shape::Card(rect, _) = shape {
            let r = cast(rect).grow(slide::SHADOW_SIGMA * 3.0);
            write!(
                out,
                r#"<filter id="shadow{k}" filterUnits="userSpaceOnUse" x="{}" y="{}" width="{}" height="{}" color-interpolation-filters="sRGB"><feGaussianBlur stdDeviation="{}"/></filter>"#,
                r.x0,
                r.y0,
                r.w(),
                r.h(),
                slide::SHADOW_SIGMA,
            )?;
        }
    }
    write!(out, r#"</defs><rect width="{w}" height="{h}" fill="url(#ground)"/>"#)?;
    for (k, shape) in slide.shapes.iter().enumerate() {
        match shape {
            Shape::Card(rect, fill) => {
                let mut rounded = |r: &Rect, fill: &str| {
                    let (x, y, w, h) = (r.x0, r.y0, r.w(), r.h());
                    let rx = slide::CARD_RADIUS;
                    write!(out, r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{rx}" {fill}/>"#)
                };
                // feDropShadow would be shorter, but resvg takes its flood colour as linear when the filter's colour
                // space is sRGB.
                let (shade, alpha) = (slide::SHADOW.hex(), slide::SHADOW_ALPHA);
                rounded(&cast(rect), &format!(r#"fill="{shade}" fill-opacity="{alpha}" filter="url(#shadow{k})""#))?;
                rounded(rect, &format!(r#"fill="{}""#, fill.hex()))?;
            }
            Shape::Disc(center, radius, fill) => {
                write!(out, r#"<circle cx="{}" cy="{}" r="{radius}" fill="{}"/>"#, center.x, center.y, fill.hex())?;
            }
        }
    }
    for text in &slide.texts {
        let (x, anchor) = match text.stand {
            Stand::Start => (text.x, "start"),
            Stand::Center => (text.x + text.width / 2.0, "middle"),
            Stand::End => (text.x + text.width, "end"),
        };
        write!(
            out,
            r#"<text font-family="{}" font-size="{}" letter-spacing="{}" word-spacing="{}" fill="{}" text-anchor="{anchor}">"#,
            text.face.name(),
            text.size,
            text.tracking * text.size,
            text.word_spacing() * text.size,
            Rgb::hex(text.color),
        )?;
        for (k, line) in text.lines.iter().enumerate() {
            write!(out, r#"<tspan x="{x}" y="{}">{line}</tspan>"#, text.baseline + k as f32 * text.step)?;
        }
        out += "</text>";
    }
    out += "</svg>";
    Ok(out)
}
