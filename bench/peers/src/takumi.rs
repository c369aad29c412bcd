//! The slide with takumi: a tree of absolutely placed nodes with typed styles, which it lays out, renders and encodes.

use std::sync::Arc;

use ::takumi::prelude::{
    BackgroundImages, BorderRadius, BoxShadow, Color, ColorInput, DitheringAlgorithm, FontFamily, FontOverride,
    FontResource, FontSize, Fonts, FromCssStr as _, Length, LengthUnit as _, LineHeight, Node, OutputFormat, Position,
    RenderOptions, Style, TextAlign, Viewport,
};
use ::takumi::{render, write_image};
use anyhow::{Context as _, Result, anyhow};
use render_core::scene::Rect;

use crate::slide::{self, Face, Rgb, Shape, Slide, Stand, Text};
use crate::{Css, Peer};

pub struct Takumi {
    fonts: Fonts,
    css: Css,
    dithering: DitheringAlgorithm,
}

impl Takumi {
    /// Uses the same faces as the other renderers; its fonts contain its caches of shaped words and glyphs.
    pub fn new(ours: &render_core::text::Fonts, dithered: bool) -> Result<Self> {
        let mut fonts = Fonts::default();
        for face in Face::ALL {
            let info = FontOverride { family_name: Some(Arc::from(face.name())), ..FontOverride::default() };
            let bytes = ours.bytes(face.id(ours)).to_vec();
            fonts.register(FontResource::new(bytes).override_info(info)).context("registering a face")?;
        }
        let dithering = if dithered { DitheringAlgorithm::OrderedBayer } else { DitheringAlgorithm::None };
        Ok(Self { fonts, css: Css::new(ours), dithering })
    }

    fn ground(&self) -> String {
        let angle = slide::CSS_ANGLE;
        if self.dithering == DitheringAlgorithm::None {
            let [from, to] = slide::GROUND.map(Rgb::hex);
            return format!("linear-gradient({angle} in oklab, {from}, {to})");
        }
        // takumi quantises OKLab gradients to whole bytes before dithering, which leaves nothing to dither.
        let stops = slide::ground_in_srgb().map(|(offset, [r, g, b])| {
            format!(", rgb({}% {}% {}%) {}%", r * 100.0, g * 100.0, b * 100.0, offset * 100.0)
        });
        format!("linear-gradient({angle}{})", stops.collect::<String>())
    }

    fn text(&self, text: &Text, px: f32) -> Node {
        let align = match text.stand {
            Stand::Start => TextAlign::Left,
            Stand::Center => TextAlign::Center,
            Stand::End => TextAlign::Right,
        };
        let style = placed(text.x * px, self.css.top(text, px))
            .width((text.width * px).px())
            .font_family(FontFamily::from_names([text.face.name().to_owned()]))
            .font_size(FontSize::from(Length::Px(text.size * px)))
            .line_height(LineHeight::Length(Length::Px(text.step * px)))
            .letter_spacing(Length::Px(text.tracking * text.size * px))
            .word_spacing(Length::Px(text.word_spacing() * text.size * px))
            .text_align(align)
            .color(fill(text.color));
        Node::text(text.words.clone()).with_style(style)
    }
}

impl Peer for Takumi {
    fn name(&self) -> &'static str {
        "takumi"
    }

    fn version(&self) -> String {
        crate::locked("takumi")
    }

    fn png(&self, slide: &Slide, (width, height): (u32, u32), _lane: usize) -> Result<Vec<u8>> {
        let px = width as f32 / slide::WIDTH;
        let ground = self.ground();
        let ground = BackgroundImages::from_css_str(&ground).map_err(|e| anyhow!("takumi's gradient: {e:?}"))?;
        let mut nodes: Vec<Node> = slide.shapes.iter().map(|shape| drawn(*shape, px)).collect();
        nodes.extend(slide.texts.iter().map(|text| self.text(text, px)));
        let root = Style::default()
            .position(Position::Relative)
            .width(100.0.percent())
            .height(100.0.percent())
            .background_image(Some(ground));
        let options = RenderOptions::builder()
            .viewport(Viewport::new((width, height)))
            .node(Node::container(nodes).with_style(root))
            .fonts(&self.fonts)
            .dithering(self.dithering)
            .build();
        let bitmap = render(options)?;
        let mut png = Vec::new();
        write_image(&bitmap, &mut png, OutputFormat::Png)?;
        Ok(png)
    }
}

fn fill(c: Rgb) -> ColorInput {
    ColorInput::Value(Color([c.0, c.1, c.2, 255]))
}

fn placed(left: f32, top: f32) -> Style {
    Style::default().position(Position::Absolute).left(left.px()).top(top.px())
}

fn drawn(shape: Shape, px: f32) -> Node {
    let boxed = |rect: Rect, radius: f32, color: Rgb| {
        placed(rect.x0 * px, rect.y0 * px)
            .width((rect.w() * px).px())
            .height((rect.h() * px).px())
            .border_radius(BorderRadius::from(radius * px))
            .background_color(fill(color))
    };
    let style = match shape {
        Shape::Card(rect, color) => {
            let c = slide::SHADOW;
            let alpha = (slide::SHADOW_ALPHA * 255.0).round() as u8;
            let shadow = BoxShadow::builder()
                .offset_y((slide::SHADOW_DOWN * px).px())
                .blur_radius((slide::SHADOW_BLUR * px).px())
                .color(ColorInput::Value(Color([c.0, c.1, c.2, alpha])))
                .build();
            boxed(rect, slide::CARD_RADIUS, color).box_shadow(Some(Box::from([shadow])))
        }
        Shape::Disc(center, radius, color) => boxed(Rect::at(center.x, center.y, 0.0, 0.0).grow(radius), radius, color),
    };
    Node::container([]).with_style(style)
}
