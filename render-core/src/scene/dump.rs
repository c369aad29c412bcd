//! Scenes as text: one line per item, fixed decimals, so that `diff` can compare two layouts.

use std::fmt::{self, Write};

use super::{
    Affine, Backdrop, BezPath, Clip, Color, Coverage, FillRule, Glyph, Item, Layer, LineBox, LineCap, LineJoin, Paint,
    Pattern, Point, Rect, Role, Scene, Stop, Stroke, TextBlock,
};

/// Returns the scene as text: its size and background, its items in drawing order, its layers, and its text blocks in
/// reading order. Lengths are in du with two decimals; lists of glyphs and path elements are complete.
pub fn dump(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a string can't fail.
    let _ = write_scene(&mut out, scene);
    out
}

fn write_scene(out: &mut String, scene: &Scene) -> fmt::Result {
    writeln!(out, "scene {} background {}", pair(scene.size.w, scene.size.h), color(scene.background))?;
    for (i, item) in scene.items.iter().enumerate() {
        write!(out, "item {i} {} ", role(item.role))?;
        write_coverage(out, &item.coverage)?;
        write_paint(out, item)?;
        write_transform(out, &item.transform)?;
        out.push('\n');
    }
    scene.layers.iter().enumerate().try_for_each(|(i, layer)| write_layer(out, i, layer))?;
    scene.blocks.iter().enumerate().try_for_each(|(i, block)| write_block(out, i, block))
}

fn write_transform(out: &mut String, transform: &Affine) -> fmt::Result {
    if *transform == Affine::IDENTITY {
        return Ok(());
    }
    write!(out, " transform")?;
    // Rotation and scale need more digits than lengths, because lengths are multiplied by them.
    transform.0.iter().try_for_each(|v| write!(out, " {}", number(*v, 5)))
}

fn write_coverage(out: &mut String, coverage: &Coverage) -> fmt::Result {
    let width = |width: &Option<f32>| width.map_or(String::new(), |w| format!(" stroke {}", du(w)));
    let pen = |stroke: &Option<Stroke>| stroke.as_ref().map_or(String::new(), pen);
    match coverage {
        Coverage::Rect { rect: r, radii, stroke: s } => {
            write!(out, "rect {}", rect(r))?;
            if radii.iter().any(|&r| r != 0.0) {
                let [a, b, c, d] = radii.map(du);
                write!(out, " radii {a} {b} {c} {d}")?;
            }
            out.write_str(&width(s))
        }
        Coverage::Ellipse { center, radii, stroke } => {
            write!(out, "ellipse {} radii {}{}", at(*center), pair(radii.w, radii.h), width(stroke))
        }
        Coverage::Arc { center, radius, start, sweep, stroke } => {
            let [start, sweep] = [start, sweep].map(|v| number(*v, 5));
            write!(out, "arc {} radius {} from {start} sweep {sweep}{}", at(*center), du(*radius), pen(stroke))
        }
        Coverage::Capsule { from, to, radius, stroke } => {
            write!(out, "capsule {} to {} radius {}{}", at(*from), at(*to), du(*radius), width(stroke))
        }
        Coverage::Polyline { points, closed, stroke } => {
            let points: Vec<String> = points.iter().map(|p| at(*p)).collect();
            let closed = if *closed { " closed" } else { "" };
            write!(out, "polyline [{}]{closed}{}", points.join(" "), pen(stroke))
        }
        Coverage::Shadow { rect: r, radius, sigma } => {
            write!(out, "shadow {} radius {} sigma {}", rect(r), du(*radius), du(*sigma))
        }
        Coverage::Path { path, rule } => {
            write!(out, "path ")?;
            write_path(out, path)?;
            out.write_str(if *rule == FillRule::EvenOdd { " even-odd" } else { "" })
        }
        Coverage::Stroke { path, stroke } => {
            write!(out, "line ")?;
            write_path(out, path)?;
            out.write_str(&self::pen(stroke))
        }
        Coverage::Glyphs(run) => {
            write!(out, "glyphs {:?} size {} [", run.face, du(run.size))?;
            for (i, Glyph { id, at: p }) in run.glyphs.iter().enumerate() {
                write!(out, "{}{id} {}", if i == 0 { "" } else { ", " }, at(*p))?;
            }
            out.write_char(']')
        }
    }
}

/// Returns the width of a pen, followed by all attributes that differ from a plain pen.
fn pen(stroke: &Stroke) -> String {
    let mut out = format!(" stroke {}", du(stroke.width));
    match stroke.join {
        LineJoin::Miter(4.0) => {}
        LineJoin::Miter(limit) => out += &format!(" miter {}", du(limit)),
        LineJoin::Round => out += " round-join",
        LineJoin::Bevel => out += " bevel-join",
    }
    match stroke.cap {
        LineCap::Butt => {}
        LineCap::Round => out += " round-cap",
        LineCap::Square => out += " square-cap",
    }
    if !stroke.dashes.is_empty() {
        let dashes: Vec<String> = stroke.dashes.iter().map(|d| du(*d)).collect();
        out += &format!(" dashes {} from {}", dashes.join(" "), du(stroke.dash_offset));
    }
    out
}

fn write_path(out: &mut String, path: &BezPath) -> fmt::Result {
    use kurbo::PathEl::{ClosePath, CurveTo, LineTo, MoveTo, QuadTo};
    let at = |p: &kurbo::Point| pair(p.x as f32, p.y as f32);
    out.write_char('[')?;
    for (i, el) in path.elements().iter().enumerate() {
        if i > 0 {
            out.write_char(' ')?;
        }
        match el {
            MoveTo(p) => write!(out, "M {}", at(p))?,
            LineTo(p) => write!(out, "L {}", at(p))?,
            QuadTo(a, p) => write!(out, "Q {} {}", at(a), at(p))?,
            CurveTo(a, b, p) => write!(out, "C {} {} {}", at(a), at(b), at(p))?,
            ClosePath => out.write_char('Z')?,
        }
    }
    out.write_char(']')
}

fn write_paint(out: &mut String, item: &Item) -> fmt::Result {
    match &item.paint {
        Paint::Solid(c) => write!(out, " fill {}", color(*c)),
        Paint::Linear { from, to, stops } => write!(out, " linear {} to {} {}", at(*from), at(*to), list(stops)),
        Paint::Radial { center, radius, stops } => {
            write!(out, " radial {} radius {} {}", at(*center), du(*radius), list(stops))
        }
        Paint::Conic { center, start, stops } => {
            write!(out, " conic {} from {} {}", at(*center), number(*start, 5), list(stops))
        }
        Paint::Mesh { rect: r, columns, colors } => {
            let colors: Vec<String> = colors.iter().map(|c| color(*c)).collect();
            write!(out, " mesh {} columns {columns} [{}]", rect(r), colors.join(" "))
        }
        Paint::Backdrop(Backdrop { pattern, seed, stops }) => {
            write_pattern(out, pattern)?;
            write!(out, " seed {seed} {}", list(stops))
        }
        Paint::Image { image, rect: r, fit, focus } => {
            write!(out, " {image:?} {} {fit:?} focus {}", rect(r), at(*focus))
        }
    }
}

fn write_pattern(out: &mut String, pattern: &Pattern) -> fmt::Result {
    match *pattern {
        Pattern::Noise { size, octaves } => write!(out, " noise {} octaves {octaves}", du(size)),
        Pattern::Grain { size } => write!(out, " grain {}", du(size)),
        Pattern::Rays { center, count, start } => {
            write!(out, " rays {} count {count} from {}", at(center), number(start, 5))
        }
        Pattern::Contours { size, levels, width } => {
            write!(out, " contours {} levels {levels} width {}", du(size), du(width))
        }
        Pattern::Halftone { pitch, from, to } => write!(out, " halftone {} {} to {}", du(pitch), at(from), at(to)),
        Pattern::Dots { pitch, radius } => write!(out, " dots {} radius {}", du(pitch), du(radius)),
        Pattern::Stars { pitch, radius } => write!(out, " stars {} radius {}", du(pitch), du(radius)),
        Pattern::Waves { pitch, length, amplitude, width } => {
            let [pitch, length, amplitude, width] = [pitch, length, amplitude, width].map(du);
            write!(out, " waves {pitch} length {length} amplitude {amplitude} width {width}")
        }
        Pattern::Blobs { pitch, radius } => write!(out, " blobs {} radius {}", du(pitch), du(radius)),
    }
}

fn list(stops: &[Stop]) -> String {
    let each: Vec<String> = stops.iter().map(|s| format!("{} {}", number(s.offset, 3), color(s.color))).collect();
    format!("[{}]", each.join(", "))
}

fn write_layer(out: &mut String, i: usize, layer: &Layer) -> fmt::Result {
    let Layer { items, opacity, blend, clip, blur, backdrop_blur } = layer;
    write!(out, "layer {i} items {items:?} {blend:?} opacity {}", number(*opacity, 3))?;
    for (name, sigma) in [("blur", blur), ("backdrop-blur", backdrop_blur)] {
        if *sigma != 0.0 {
            write!(out, " {name} {}", du(*sigma))?;
        }
    }
    if let Some(Clip { transform, coverage }) = clip {
        write!(out, " clip ")?;
        write_coverage(out, coverage)?;
        write_transform(out, transform)?;
    }
    writeln!(out)
}

fn write_block(out: &mut String, i: usize, block: &TextBlock) -> fmt::Result {
    let TextBlock { slot, level, text, size, weight, family, color: ink, .. } = block;
    write!(out, "block {i} {slot} {level:?} {family} {weight} size {} color {} ", du(*size), color(*ink))?;
    write!(out, "ink {} box {}", rect(&block.ink), rect(&block.slot_box))?;
    if block.centered {
        write!(out, " centered")?;
    }
    if block.vertical {
        write!(out, " vertical")?;
    }
    writeln!(out, " {text:?}")?;
    block.lines.iter().try_for_each(|LineBox { ink, baseline, chars }| {
        writeln!(out, "  line {} baseline {} chars {chars}", rect(ink), du(*baseline))
    })
}

fn role(role: Role) -> String {
    match role {
        Role::Text(block) => format!("text({block})"),
        Role::Field => "field".to_owned(),
        Role::Mark => "mark".to_owned(),
        Role::Art => "art".to_owned(),
    }
}

fn color(c: Color) -> String {
    if c.a == 1.0 { c.to_hex() } else { format!("{}@{}", c.to_hex(), number(c.a, 3)) }
}

fn rect(r: &Rect) -> String {
    if r.is_empty() && r.x0 == f32::MAX {
        "empty".to_owned()
    } else {
        format!("{} {}", pair(r.x0, r.y0), pair(r.x1, r.y1))
    }
}

fn at(p: Point) -> String {
    pair(p.x, p.y)
}

fn pair(x: f32, y: f32) -> String {
    format!("{},{}", du(x), du(y))
}

fn du(v: f32) -> String {
    number(v, 2)
}

/// Formats a number with fixed decimals; a value that rounds to zero has no sign.
fn number(v: f32, decimals: usize) -> String {
    let text = format!("{v:.decimals$}");
    if text.starts_with('-') && text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.')) {
        text[1..].to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Size;
    use super::*;

    #[test]
    fn one_line_an_item() {
        let mut path = BezPath::new();
        path.move_to((0.0, 0.0));
        path.line_to((10.0, 0.5));
        path.close_path();
        let fade: Arc<[Stop]> =
            [Stop { offset: 0.0, color: Color::BLACK }, Stop { offset: 1.0, color: Color::WHITE.alpha(0.25) }].into();
        let mut tilted = Item::ring(Point::new(5.0, 6.0), 4.0, 2.0, Color::hex(0xFF4D14), Role::Art);
        tilted.transform = Affine::scale(0.5);
        let scene = Scene {
            size: Size::new(1080.0, 1350.0),
            background: Color::hex(0xF4F1EA),
            items: vec![
                Item::rect(Rect::new(-0.001, 72.0, 100.126, 74.0), Color::BLACK, Role::Mark),
                Item::path(path, Color::WHITE.alpha(0.5), Role::Field),
                tilted,
                Item::new(
                    Coverage::Shadow { rect: Rect::new(1.0, 2.0, 3.0, 4.0), radius: 1.0, sigma: 8.0 },
                    Paint::Linear { from: Point::new(0.0, 0.0), to: Point::new(0.0, 9.0), stops: fade },
                    Role::Text(3),
                ),
            ],
            layers: Vec::new(),
            blocks: vec![TextBlock {
                slot: "title".to_owned(),
                level: super::super::TextLevel::Hero,
                text: "A \"word\"\nor two".to_owned(),
                size: 96.0,
                weight: 800,
                family: "Manrope",
                color: Color::BLACK,
                ink: Rect::EMPTY,
                slot_box: Rect::new(72.0, 72.0, 1008.0, 400.0),
                lines: vec![LineBox { ink: Rect::new(1.0, 2.0, 3.0, 4.0), baseline: 90.0, chars: 8 }],
                centered: true,
                spots: Vec::new(),
                vertical: true,
            }],
        };
        let expected = "\
scene 1080.00,1350.00 background #f4f1ea
item 0 mark rect 0.00,72.00 100.13,74.00 fill #000000
item 1 field path [M 0.00,0.00 L 10.00,0.50 Z] fill #ffffff@0.500
item 2 art ellipse 5.00,6.00 radii 4.00,4.00 stroke 2.00 fill #ff4d14 transform 0.50000 0.00000 0.00000 0.50000 0.00000 0.00000
item 3 text(3) shadow 1.00,2.00 3.00,4.00 radius 1.00 sigma 8.00 linear 0.00,0.00 to 0.00,9.00 [0.000 #000000, 1.000 #ffffff@0.250]
block 0 title Hero Manrope 800 size 96.00 color #000000 ink empty box 72.00,72.00 1008.00,400.00 centered vertical \"A \\\"word\\\"\\nor two\"
  line 1.00,2.00 3.00,4.00 baseline 90.00 chars 8
";
        assert_eq!(dump(&scene), expected);
    }
}
