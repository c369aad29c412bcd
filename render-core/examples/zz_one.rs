//! Throw-away: outline of a file.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use render_core::Format;
use render_core::content::read_text;
use render_core::outline::{Request, outline};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let doc = read_text(&text).unwrap();
    println!("TITLE {}\nDEK {:?}", doc.title.text, doc.dek.as_ref().map(|d| &d.text));
    for b in &doc.blocks {
        println!("{:.2} {:?}", b.score, b.kind);
    }
    let format = Format::by_id("linkedin_carousel_portrait").unwrap();
    if a[2] == "0" {
        let f = Format::by_id("instagram_post").unwrap();
        for o in outline(&Request { document: &doc, format: f, slides: None }).unwrap() {
            let p = &o.pages[0];
            println!(
                "{:.3} {:?} {:?} items {} {:?}",
                p.score,
                p.kind,
                p.title.as_ref().map(|t| &t.wordings[0]),
                p.items.len(),
                o.warnings.iter().map(|w| &w.message).collect::<Vec<_>>()
            );
        }
        return;
    }
    let mut n: u32 = a[2].parse().unwrap();
    let out = loop {
        match outline(&Request { document: &doc, format, slides: Some(n) }) {
            Ok(o) => break o,
            Err(e) => {
                println!("carries {}", e.carries);
                n = e.carries;
            }
        }
    };
    for p in &out[0].pages {
        println!(
            "--{:?} {:?}\n   body {:?}\n   note {:?}\n   items {:?} cta {:?} fig {:?}",
            p.kind,
            p.title.as_ref().map(|t| &t.wordings),
            p.body.as_ref().map(|b| &b.wordings[0]),
            p.note.as_ref().map(|b| &b.wordings[0]),
            p.items.iter().map(|i| &i.head.wordings[0]).collect::<Vec<_>>(),
            p.cta.as_ref().map(|b| &b.wordings[0]),
            p.figure.as_ref().map(|f| &f.value)
        );
    }
    println!("{:?}", out[0].warnings);
}
