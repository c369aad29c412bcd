//! Tagged pages that draw forms, which mark and number their content themselves.

use super::page::Drawn;
use super::*;

/// Returns a file of these objects, from 1: the first is the catalog, the second the page tree with one page, the third
/// that page.
fn file(objects: &[String]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(objects) {
        places.push(out.len());
        out.extend(format!("{number} 0 obj\n{object}\nendobj\n").bytes());
    }
    let start = out.len();
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    places.iter().for_each(|at| out.extend(format!("{at:010} 00000 n \n").bytes()));
    let size = objects.len() + 1;
    out.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
    out
}

fn stream(entries: &str, content: &str) -> String {
    format!("<< {entries} /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// Returns a form over the whole page.
fn form(content: &str) -> String {
    stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800]", content)
}

/// Returns a word at a position, marked with the number `id`.
fn marked(id: u32, word: &str, x: u32, y: u32) -> String {
    format!("/P << /MCID {id} >> BDC {} EMC\n", bare(word, x, y))
}

fn bare(word: &str, x: u32, y: u32) -> String {
    format!("BT /F 12 Tf 1 0 0 1 {x} {y} Tm ({word}) Tj ET")
}

/// Returns a page that draws `content`, with the forms /A (object 7) and /B (object 8); `kids` are those of the
/// structure tree's root. The page is object 3.
fn page(content: &str, forms: [&str; 2], kids: &str) -> Drawn {
    annotated(content, forms, kids, "")
}

fn annotated(content: &str, [a, b]: [&str; 2], kids: &str, annotations: &str) -> Drawn {
    let bytes = file(&[
        "<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R >>".into(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".into(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Annots [{annotations}]
            /Resources << /Font << /F 5 0 R >> /XObject << /A 7 0 R /B 8 0 R >> >> >>"
        ),
        stream("", content),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".into(),
        format!("<< /Type /StructTreeRoot /K [{kids}] >>"),
        form(a),
        form(b),
    ]);
    let pdf = opened(&bytes).unwrap();
    let places = tags::places(&pdf);
    let mut left = page::most_glyphs();
    page::read(&pdf, &pdf.pages()[0], places.first(), &InterpreterCache::new(), &mut Fonts::default(), &mut left)
        .unwrap()
}

/// Returns a tagged paragraph that contains the number `id`.
fn paragraph(id: u32) -> String {
    format!("<< /S /P /Pg 3 0 R /K {id} >> ")
}

/// Returns the same for the form that is the object `form`.
fn paragraph_in(form: u32, id: u32) -> String {
    format!("<< /S /P /Pg 3 0 R /K << /Type /MCR /Stm {form} 0 R /MCID {id} >> >> ")
}

/// Returns the texts of a page's parts, in the order of its tags.
fn part_texts(page: &Drawn) -> Vec<String> {
    let parts = tagged::parts(page.glyphs.clone(), &page.marks).expect("the tags order the page");
    parts.iter().map(|part| part.iter().map(|g| g.text.as_str()).collect()).collect()
}

#[test]
fn the_numbers_of_a_form_are_not_those_of_its_page() {
    // A page with a figure from another tagged file, whose labels keep their numbers of that file.
    let content = format!(
        "{}{}/Figure << /MCID 2 >> BDC q /A Do Q EMC {}",
        marked(0, "First paragraph", 50, 700),
        marked(1, "Second paragraph", 50, 650),
        marked(3, "Last", 50, 100),
    );
    let labels = marked(0, "axis", 300, 400) + &marked(1, "scale", 300, 300) + &marked(3, "key", 300, 200);
    let kids = format!("{}{}<< /S /Figure /Pg 3 0 R /K 2 >> {}", paragraph(0), paragraph(1), paragraph(3));
    let drawn = page(&content, [&labels, ""], &kids);
    assert_eq!(part_texts(&drawn), ["First paragraph", "Second paragraph", "axisscalekey", "Last"]);
}

#[test]
fn a_form_that_is_no_text_holds_none() {
    let content = format!("{}/Artifact BMC /A Do EMC", marked(0, "Paragraph", 50, 700));
    let drawn = page(&content, [&marked(0, "Confidential", 50, 400), ""], &paragraph(0));
    assert_eq!(part_texts(&drawn), ["Paragraph"]);
}

#[test]
fn tags_name_the_content_of_forms_by_their_objects() {
    let content = format!("/A Do {} q 0 0 600 800 re W n 10 10 400 700 re W n /B Do Q", marked(0, "Page", 50, 400));
    let forms = [marked(0, "Low", 50, 200), marked(0, "High", 50, 700) + &marked(1, "Lowest", 50, 100)];
    let kids = paragraph_in(8, 0) + &paragraph(0) + &paragraph_in(7, 0) + &paragraph_in(8, 1);
    let drawn = page(&content, [&forms[0], &forms[1]], &kids);
    assert_eq!(part_texts(&drawn), ["High", "Page", "Low", "Lowest"]);
    // The same form twice, and one form within another.
    let content = format!("/A Do {} /B Do", marked(0, "Page", 50, 400));
    let drawn = page(&content, [&forms[0], &format!("{} /A Do {}", &forms[1], marked(2, "F", 50, 60))], &kids);
    assert_eq!(part_texts(&drawn)[..2], ["High", "Page"]);
    assert!(drawn.marks.iter().filter(|m| matches!(m, Mark::Content(_))).count() == 5, "{:?}", drawn.marks);
}

#[test]
fn a_form_leaves_nothing_open_and_closes_nothing_of_its_page() {
    let content = format!("/P << /MCID 0 >> BDC /A Do {} EMC {}", bare("First", 50, 700), marked(1, "Second", 50, 600));
    for form in
        ["/Artifact BMC", "EMC EMC", "q 100 100 50 50 re W n /Artifact BMC q 1 0 0 1 9 9 cm", "q 9 9 m 80 90 l W n EMC"]
    {
        let drawn = page(&content, [form, ""], &(paragraph(0) + &paragraph(1)));
        assert_eq!(part_texts(&drawn), ["First", "Second"], "{form}");
    }
}

#[test]
fn a_page_leaves_nothing_open_for_its_annotations() {
    let content = format!("{} q /Artifact BMC {}", marked(0, "Paragraph", 50, 700), bare("Head", 50, 780));
    let annotation = "<< /Type /Annot /Subtype /Stamp /Rect [0 0 600 800] /AP << /N 8 0 R >> >>";
    let drawn = annotated(&content, ["", &bare("Zone", 50, 300)], &paragraph(0), annotation);
    let known = |word: &str| {
        let first = drawn.glyphs.iter().position(|g| word.starts_with(&g.text)).unwrap();
        drawn.marks[drawn.glyphs[first].mark]
    };
    assert_eq!((known("Head"), known("Zone")), (Mark::Artifact, Mark::None));
}
