use crate::compose::{Composed, compose};
use crate::design::*;
use crate::edit::{Target, propose, propose_clauses};
use crate::format::Format;
use crate::plan::specimens::specimen;
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{Pixmap, Rasteriser};
use crate::scene::{Canvas, Image};
use crate::text::Fonts;
use std::io::Write as _;

fn logo() -> Logo {
    let side = 120_i32;
    let inside = |x: i32, y: i32| (x - 60) * (x - 60) + (y - 60) * (y - 60) < 3_400;
    let px = |x, y| if inside(x, y) { [215, 38, 61, 255] } else { [0; 4] };
    let rgba: Vec<u8> = (0..side).flat_map(|y| (0..side).flat_map(move |x| px(x, y))).collect();
    Logo { key: FileKey([7; 32]), width: 120, height: 120, pixels: Image::new(120, 120, rgba).ok() }
}

fn draw(c: &Composed, fonts: &Fonts) -> Pixmap {
    let s = &c.scene;
    let scale = 400.0 / s.size.w;
    let canvas = Canvas { width: 400, height: (s.size.h * scale).round() as u32, scale, dither: false };
    let mut p = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(s, canvas, fonts, &mut p).unwrap();
    p
}

#[test]
fn pictures() {
    let fonts = Fonts::new();
    let brand = Brand { name: "Acme".into(), logo: Some(logo()), ..Brand::default() };
    let list = std::fs::read_to_string("/tmp/art/list").unwrap();
    for line in list.lines().filter(|l| !l.is_empty()) {
        let f: Vec<&str> = line.splitn(5, '|').collect();
        let style = Style::by_name(f[1]).unwrap();
        let archetype = Archetype::ALL.into_iter().find(|a| a.name() == f[3]).unwrap();
        let mut page =
            specimen(archetype, style, Format::by_id("instagram_post").unwrap().id, f[2].parse().unwrap(), &fonts)
                .unwrap();
        if f[0].starts_with("logo") {
            page.logo = Some(logo());
            page.slots.insert(0, Slot { id: SlotId::Brand, text: "Acme".into(), span: None, emphasis: Vec::new() });
        }
        if f[0].contains("noart") {
            page.art = None;
        }
        let target = Target::new(&page, 1, Some(&brand).filter(|_| f[0].starts_with("logo")), &fonts);
        let before = draw(&compose(&page, &fonts), &fonts);
        let t = [target];
        let out = if let Some(p) = f[4].strip_prefix('?') {
            propose(p, &t, 0).map_err(|e| e.message)
        } else {
            propose_clauses(f[4], false, &t, 0).map_err(|e| e.to_string())
        };
        let after = match out {
            Ok(p) => {
                println!("{}: {} NOTES {:?}", f[0], p.instruction, p.notes);
                p.edited.first().map(|e| draw(&e.composed, &fonts))
            }
            Err(e) => {
                println!("{}: ERROR {e}", f[0]);
                None
            }
        };
        for (n, p) in [Some(&before), after.as_ref()].into_iter().enumerate() {
            let Some(p) = p else { continue };
            let mut file = std::fs::File::create(format!("/tmp/art/out/{}-{n}.ppm", f[0])).unwrap();
            write!(file, "P6 {} {} 255\n", p.width, p.height).unwrap();
            file.write_all(&p.data).unwrap();
        }
    }
}

#[test]
fn statistics() {
    use super::super::{Hue, Op};
    let fonts = Fonts::new();
    for style in Style::ALL {
        for archetype in Archetype::ALL {
            let Some(page) = specimen(archetype, style, Format::by_id("instagram_post").unwrap().id, 3, &fonts) else {
                continue;
            };
            let target = Target::new(&page, 1, None, &fonts);
            let show = |name: &str, op: Op| match super::apply(&[op], &target) {
                Ok(a) => {
                    if !a.notes.is_empty() {
                        println!("{style:?} {} {name}: {:?} {:?}", archetype.name(), a.ops, a.notes)
                    }
                }
                Err(e) => println!("{style:?} {} {name}: ERR {e}", archetype.name()),
            };
            show("green", Op::Colour { hue: Hue::Accent, to: crate::scene::Color::hex(0x1f9d55) });
            show("navy", Op::Colour { hue: Hue::Background, to: crate::scene::Color::hex(0x0b1f3a) });
            show("wide", Op::Space(120));
            show("tight", Op::Space(85));
            show("heavy", Op::Weight { part: Part::Headline, to: 700 });
        }
    }
}
