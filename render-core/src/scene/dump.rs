//! A scene as text: one line an item, fixed decimals, so that two layouts can be compared with `diff`.

use std::fmt::{self, Write};

use super::{Affine, BezPath, Color, Coverage, Glyph, Item, LineBox, Paint, Rect, Role, Scene, Stop, TextBlock};

/// The scene as text: its size and background, its items in drawing order, its text blocks in reading order. Lengths
/// are du with two decimals; long lists of glyphs and path elements stand in full.
pub fn dump(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write_scene(&mut out, scene);
    out
}

fn write_scene(out: &mut String, scene: &Scene) -> fmt::Result {
    writeln!(out, "scene {} background {}", pair(scene.size.w, scene.size.h), color(scene.background))?;
    for (i, item) in scene.items.iter().enumerate() {
        write!(out, "item {i} {} ", role(item.role))?;
        write_coverage(out, item)?;
        write_paint(out, &item.paint)?;
        if item.transform != Affine::IDENTITY {
            write!(out, " transform")?;
            // Rotation and scale need more digits than lengths: they are multiplied by them.
            item.transform.0.iter().try_for_each(|v| write!(out, " {}", number(*v, 5)))?;
        }
        out.push('\n');
    }
    scene.blocks.iter().enumerate().try_for_each(|(i, block)| write_block(out, i, block))
}

fn write_coverage(out: &mut String, item: &Item) -> fmt::Result {
    let stroke = |width: &Option<f32>| width.map_or(String::new(), |w| format!(" stroke {}", du(w)));
    match &item.coverage {
        Coverage::Rect { rect: r, radii, stroke: s } => {
            write!(out, "rect {}", rect(r))?;
            if radii.iter().any(|&r| r != 0.0) {
                let [a, b, c, d] = radii.map(du);
                write!(out, " radii {a} {b} {c} {d}")?;
            }
            out.write_str(&stroke(s))
        }
        Coverage::Ellipse { center, radii, stroke: s } => {
            write!(out, "ellipse {} radii {}{}", pair(center.x, center.y), pair(radii.w, radii.h), stroke(s))
        }
        Coverage::Shadow { rect: r, radius, sigma } => {
            write!(out, "shadow {} radius {} sigma {}", rect(r), du(*radius), du(*sigma))
        }
        Coverage::Path(path) => {
            write!(out, "path ")?;
            write_path(out, path)
        }
        Coverage::Glyphs(run) => {
            write!(out, "glyphs {:?} size {} [", run.face, du(run.size))?;
            for (i, Glyph { id, at }) in run.glyphs.iter().enumerate() {
                write!(out, "{}{id} {}", if i == 0 { "" } else { ", " }, pair(at.x, at.y))?;
            }
            out.write_char(']')
        }
    }
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

fn write_paint(out: &mut String, paint: &Paint) -> fmt::Result {
    let list = |stops: &[Stop]| {
        let each: Vec<String> = stops.iter().map(|s| format!("{} {}", number(s.offset, 3), color(s.color))).collect();
        each.join(", ")
    };
    match paint {
        Paint::Solid(c) => write!(out, " fill {}", color(*c)),
        Paint::Linear { from, to, stops } => {
            write!(out, " linear {} to {} [{}]", pair(from.x, from.y), pair(to.x, to.y), list(stops))
        }
        Paint::Radial { center, radius, stops } => {
            write!(out, " radial {} radius {} [{}]", pair(center.x, center.y), du(*radius), list(stops))
        }
    }
}

fn write_block(out: &mut String, i: usize, block: &TextBlock) -> fmt::Result {
    let TextBlock { slot, level, text, size, weight, family, color: ink, .. } = block;
    write!(out, "block {i} {slot} {level:?} {family} {weight} size {} color {} ", du(*size), color(*ink))?;
    write!(out, "ink {} box {}", rect(&block.ink), rect(&block.slot_box))?;
    if block.centered {
        write!(out, " centered")?;
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

fn pair(x: f32, y: f32) -> String {
    format!("{},{}", du(x), du(y))
}

fn du(v: f32) -> String {
    number(v, 2)
}

/// Fixed decimals; what rounds to zero has no sign.
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

    use super::super::{Point, Size};
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
            }],
        };
        let expected = "\
scene 1080.00,1350.00 background #f4f1ea
item 0 mark rect 0.00,72.00 100.13,74.00 fill #000000
item 1 field path [M 0.00,0.00 L 10.00,0.50 Z] fill #ffffff@0.500
item 2 art ellipse 5.00,6.00 radii 4.00,4.00 stroke 2.00 fill #ff4d14 transform 0.50000 0.00000 0.00000 0.50000 0.00000 0.00000
item 3 text(3) shadow 1.00,2.00 3.00,4.00 radius 1.00 sigma 8.00 linear 0.00,0.00 to 0.00,9.00 [0.000 #000000, 1.000 #ffffff@0.250]
block 0 title Hero Manrope 800 size 96.00 color #000000 ink empty box 72.00,72.00 1008.00,400.00 centered \"A \\\"word\\\"\\nor two\"
  line 1.00,2.00 3.00,4.00 baseline 90.00 chars 8
";
        assert_eq!(dump(&scene), expected);
    }
}
