//! Contact sheets, and the index page of all images.

use std::fmt::Write as _;

use render_core::raster::Pixmap;

use super::{Picture, Row, Sheet};

/// Area of an image on a contact sheet, in pixels.
const CELL_PX: f32 = 64_000.0;
/// Pixels between the images of a sheet, and around them.
const GAP_PX: usize = 16;
/// Background of the sheets: a grey that contrasts with both light and dark pages.
const GROUND: u8 = 0x80;

/// Returns the long edge at which an image has the area [`CELL_PX`].
pub(super) fn small_edge(width: u32, height: u32) -> u32 {
    let (w, h) = (width as f32, height as f32);
    (w.max(h) * (CELL_PX / (w * h)).sqrt()).round() as u32
}

/// Arranges images in rows on a plain background.
pub(super) fn sheet(rows: &[Row]) -> Pixmap {
    let rows: Vec<&Row> = rows.iter().filter(|row| !row.is_empty()).collect();
    let wide = |row: &Row| row.iter().map(|p| p.small.width as usize + GAP_PX).sum::<usize>();
    let high = |row: &Row| row.iter().map(|p| p.small.height as usize).max().unwrap_or(0) + GAP_PX;
    let width = rows.iter().map(|row| wide(row)).max().unwrap_or(0) + GAP_PX;
    let height = rows.iter().map(|row| high(row)).sum::<usize>() + GAP_PX;
    let mut data = vec![GROUND; width * height * 3];
    let mut y = GAP_PX;
    for row in rows {
        let mut x = GAP_PX;
        for Picture { small, .. } in row {
            let line = small.width as usize * 3;
            for (n, pixels) in small.data.chunks_exact(line).enumerate() {
                let at = ((y + n) * width + x) * 3;
                data[at..at + line].copy_from_slice(pixels);
            }
            x += small.width as usize + GAP_PX;
        }
        y += high(row);
    }
    Pixmap { width: width as u32, height: height as u32, data }
}

/// Returns the HTML of the index page of all images.
pub(super) fn index(sheets: &[Sheet]) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Gallery</title><style>\
         body{margin:32px;font:14px/1.4 system-ui,sans-serif;background:#808080;color:#fff}\
         h2{margin:48px 0 16px;font-weight:600}.row{display:flex;flex-wrap:wrap;gap:16px;margin:0 0 24px}\
         figure{margin:0}img{display:block;height:320px;width:auto}figcaption{margin:6px 0 0;max-width:320px}\
         .fails{outline:4px solid #f33}</style><h1>Gallery</h1>",
    );
    for Sheet { file, title, rows } in sheets {
        let _ = write!(html, "<h2>{title} (<a href=\"{file}\">sheet</a>)</h2>");
        for row in rows {
            html += "<div class=row>";
            for p in row {
                let says: Vec<&str> = p.misses.iter().map(|(name, ..)| name.as_str()).collect();
                let class = if p.passed { "" } else { " class=fails" };
                let _ = write!(
                    html,
                    "<figure><a href=\"{0}\"><img{class} loading=lazy src=\"{0}\" alt=\"{1}\"></a>\
                     <figcaption>{2} · {3}<br>{4}</figcaption></figure>",
                    p.file,
                    escaped(&p.alt_text),
                    p.format,
                    p.template,
                    says.join(", "),
                );
            }
            html += "</div>";
        }
    }
    html + "</html>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
