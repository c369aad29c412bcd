//! Reads PDFs with poppler, which `tests/run` installs. Without it, tests that need it are skipped with a message.

use std::path::Path;
use std::process::{Command, Output};

use render_core::raster::Pixmap;

use crate::image;

/// A PDF read by poppler.
pub struct Read {
    folder: tempfile::TempDir,
    /// The page sizes in points.
    pub pages: Vec<(f64, f64)>,
    /// The title.
    pub title: String,
}

fn run(program: &str, words: &[&str]) -> Option<Output> {
    Command::new(program).args(words).output().ok()
}

/// Whether poppler is installed. Fails if it is required and missing.
fn is_here() -> bool {
    let here = run("pdfinfo", &["-v"]).is_some();
    assert!(here || std::env::var_os("REQUIRE_POPPLER").is_none(), "poppler-utils is missing");
    here
}

impl Read {
    /// Reads a PDF. Returns `None` without poppler. Fails if poppler reports errors in the file.
    pub fn of(pdf: &[u8]) -> Option<Self> {
        if !is_here() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file.pdf"), pdf).unwrap();
        let mut read = Self { folder, pages: Vec::new(), title: String::new() };
        let said = read.told("pdfinfo", &["-l", "-1"]);
        let field = |name: &str| said.lines().find_map(|l| l.strip_prefix(name)).unwrap_or_default().trim().to_owned();
        read.title = field("Title:");
        let sizes = said.lines().filter(|l| l.starts_with("Page ") && l.contains(" size:"));
        let numbers = |line: &str| line.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<f64>>();
        read.pages = sizes.map(numbers).map(|n| (n[1], n[2])).collect();
        assert_eq!(field("Pages:").parse(), Ok(read.pages.len()));
        Some(read)
    }

    fn file(&self) -> String {
        self.folder.path().join("file.pdf").display().to_string()
    }

    fn told(&self, program: &str, words: &[&str]) -> String {
        let file = self.file();
        let words: Vec<&str> = words.iter().copied().chain([file.as_str()]).collect();
        let output = run(program, &words).unwrap();
        let faults = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && faults.is_empty(), "{program}: {faults}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the text of a page, counted from 1.
    pub fn text(&self, page: usize) -> String {
        let (page, file) = (page.to_string(), self.file());
        let output = run("pdftotext", &["-f", &page, "-l", &page, &file, "-"]).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the fonts: the name of each, and whether it is embedded with a map from glyphs to Unicode.
    pub fn fonts(&self) -> Vec<(String, bool)> {
        let said = self.told("pdffonts", &[]);
        let rows = said.lines().skip(2).map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            // "… Identity-H  yes yes yes  47  0": embedded, subset, with a Unicode map.
            let told = &words[words.len() - 5..words.len() - 2];
            (words[0].to_owned(), told[0] == "yes" && told[2] == "yes")
        });
        rows.collect()
    }

    /// Renders a page, counted from 1, at this size in pixels.
    pub fn picture(&self, page: usize, width: u32, height: u32) -> Pixmap {
        let (page, file) = (page.to_string(), self.file());
        let (across, down) = (width.to_string(), height.to_string());
        let to = self.folder.path().join("page");
        let to = to.display().to_string();
        let words =
            ["-png", "-singlefile", "-f", &page, "-l", &page, "-scale-to-x", &across, "-scale-to-y", &down, &file, &to];
        let output = run("pdftoppm", &words).unwrap();
        let faults = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && faults.is_empty(), "{faults}");
        image::decode(&std::fs::read(Path::new(&format!("{to}.png"))).unwrap()).unwrap()
    }
}

/// Returns the difference of two pictures of the same size: the mean channel difference, in percent of the range.
pub fn apart(a: &Pixmap, b: &Pixmap) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let sum: u64 = a.data.iter().zip(&b.data).map(|(x, y)| u64::from(x.abs_diff(*y))).sum();
    sum as f64 / a.data.len() as f64 / 2.55
}
