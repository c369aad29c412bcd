//! Checks the structure of the repository: file sizes, headers, leftovers, licences, dependencies between modules, and
//! the map.

mod arrows;
mod layer_tables;
mod layers;
mod map;
mod state_layers;
mod styles;

use std::collections::BTreeSet;

use crate::repo;

/// Maximum lines of a source file. A longer one has more than one responsibility.
const LINES: usize = 600;

/// Fails and lists all findings.
fn none(what: &str, findings: Vec<String>) {
    assert!(findings.is_empty(), "{what}:\n  {}", findings.join("\n  "));
}

#[test]
fn no_source_file_is_too_long() {
    let long = |(file, text): (String, String)| {
        let lines = text.lines().count();
        (lines > LINES).then(|| format!("{file}: {lines} lines"))
    };
    none("over 600 lines", repo::texts("rs").into_iter().filter_map(long).collect());
}

/// Unit tests in a separate file or folder are recognized by its name.
fn is_unit_test(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.ends_with("_tests.rs") || file.contains("/src/") && file.contains("/tests/")
}

/// Returns the lines of a source without items marked `#[cfg(test)]`. Relies on rustfmt's layout: an item ends on its
/// first line, or on the next line of the same indentation that closes a bracket and opens none.
fn shipped(text: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut kept = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line);
            continue;
        }
        let level = indent(line);
        let item = lines.by_ref().find(|line| !line.trim_start().starts_with(['#', '/'])).unwrap_or("");
        if !item.ends_with([';', ',', '}']) {
            let closes =
                |line: &str| line.trim_start().starts_with(['}', ')', ']']) && !line.ends_with(['{', '(', '[']);
            lines.by_ref().find(|line| indent(line) == level && closes(line));
        }
    }
    kept
}

/// A module may declare its tests anywhere; the code after them is still checked.
#[test]
fn only_the_items_of_tests_are_left_out() {
    let text = "\
#[cfg(test)]
mod tests;
use crate::a;
#[cfg(test)]
/// A comment.
#[path = \"more.rs\"]
mod more {
    fn x() {
        crate::x()
    }
}
use crate::b;
impl A {
    #[cfg(test)]
    fn y(
        self,
    ) -> Self {
        crate::y()
    }

    fn c() {
        crate::c();
    }
}
";
    let kept = "use crate::a;\nuse crate::b;\nimpl A {\n\n    fn c() {\n        crate::c();\n    }\n}";
    assert_eq!(shipped(text).join("\n"), kept);
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let bare = |(file, text): (String, String)| {
        let said = text.lines().next().is_some_and(|l| l.starts_with("//! ") && l.len() > 12);
        (!said && !is_unit_test(&file)).then_some(file)
    };
    none("no //! header on the first line", repo::texts("rs").into_iter().filter_map(bare).collect());
}

#[test]
fn nothing_is_left_for_later() {
    // Assembled here, so that this file doesn't contain them.
    let marks =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("to", "do!("), concat!("db", "g!(")];
    let mut findings = Vec::new();
    for extension in ["rs", "toml", "md", "py"] {
        for (file, text) in repo::texts(extension) {
            for (n, line) in text.lines().enumerate() {
                findings.extend(marks.iter().filter(|m| line.contains(**m)).map(|m| format!("{file}:{}: {m}", n + 1)));
            }
        }
    }
    none("left for later", findings);
}

/// Files name packages, never the hosts that serve them, so that a mirror can be used.
#[test]
fn no_file_names_a_package_host() {
    let hosts = [
        concat!("crates", ".io"),
        concat!("pypi", ".org"),
        concat!("pythonhosted", ".org"),
        concat!("registry.npm", "js.org"),
        concat!("deb.", "debian.org"),
    ];
    let mut findings = Vec::new();
    for file in repo::files() {
        let Ok(text) = std::fs::read_to_string(repo::root().join(&file)) else { continue };
        if !file.ends_with("Cargo.lock") {
            findings.extend(hosts.iter().filter(|h| text.contains(**h)).map(|h| format!("{file}: {h}")));
        }
    }
    none("names a package host", findings);
}

/// Paths are added only with `routes!`, which includes the handler's declaration in the OpenAPI document.
#[test]
fn every_path_of_the_api_has_its_place_in_the_document() {
    let others = [".route(", ".route_service(", ".nest_service(", ".fallback(", "routing::"];
    let sources =
        repo::texts("rs").into_iter().filter(|(f, _)| f.starts_with("coordinator/src/api/") && !is_unit_test(f));
    let (mut findings, mut added) = (Vec::new(), 0);
    for (file, text) in sources {
        added += text.matches("routes!(").count();
        findings.extend(others.iter().filter(|o| text.contains(**o)).map(|o| format!("{file}: {o}")));
    }
    assert!(added > 10, "paths are looked for in the wrong place");
    none("paths without a place in the document", findings);
}

#[test]
fn every_font_has_its_licence() {
    const FONTS: &str = "render-core/assets/fonts/";
    let files = repo::files();
    let families: Vec<&str> = files
        .iter()
        .filter_map(|f| f.strip_prefix(FONTS)?.strip_suffix(".ttf.zst")?.rsplit_once('-'))
        .map(|(family, _)| family)
        .collect();
    assert!(families.len() > 10, "fonts are looked for in the wrong place");
    for family in &families {
        let licence = repo::text(&format!("{FONTS}licences/{family}.txt"));
        assert!(licence.to_lowercase().contains("sil open font license"), "{family}: not the Open Font License");
        assert!(licence.contains("Copyright"), "{family}: whose is it?");
    }
    let idle = |f: &String| {
        let family = f.strip_prefix(FONTS)?.strip_prefix("licences/")?.strip_suffix(".txt")?;
        (!families.contains(&family)).then(|| f.clone())
    };
    none("a licence without its font", files.iter().filter_map(idle).collect());
}

/// A setting without a line in README can't be discovered.
#[test]
fn every_setting_is_explained() {
    let readme = repo::text("README.md");
    let shown: BTreeSet<_> = readme
        .lines()
        .filter_map(|l| l.strip_prefix("| `--")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    let settings = repo::text("coordinator/src/config/settings.rs");
    let variables = settings.match_indices("\"VIVID_").map(|(at, _)| &settings[at + 7..]);
    let there: BTreeSet<_> = variables
        .filter_map(|rest| rest.split_once('"'))
        .map(|(name, _)| name.to_lowercase().replace('_', "-"))
        .filter(|name| !name.is_empty())
        .collect();
    assert!(there.len() > 10, "settings are looked for in the wrong place: {there:?}");
    none("settings that README doesn't list", there.difference(&shown).cloned().collect());
    none("settings that README lists in vain", shown.difference(&there).cloned().collect());
}

/// Returns the names of all metrics in the code.
fn metrics() -> BTreeSet<String> {
    let mut there = BTreeSet::new();
    for file in ["coordinator/src/metrics.rs", "worker/src/metrics.rs"] {
        let text = repo::text(file);
        let names = text.match_indices("\"vivid_").filter_map(|(at, _)| text[at + 1..].split('"').next());
        there.extend(names.map(str::to_owned));
    }
    there
}

/// Collects every query of a dashboard.
fn queries(of: &serde_json::Value, found: &mut Vec<String>) {
    match of {
        serde_json::Value::Object(fields) => {
            found.extend(fields.get("expr").and_then(|e| e.as_str()).map(str::to_owned));
            fields.values().for_each(|v| queries(v, found));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|v| queries(v, found)),
        _ => {}
    }
}

#[test]
fn the_dashboard_shows_metrics_that_are_there() {
    let dashboard: serde_json::Value = serde_json::from_str(&repo::text("deploy/grafana/vivid.json")).unwrap();
    let (there, mut found) = (metrics(), Vec::new());
    queries(&dashboard, &mut found);
    assert!(found.len() > 20, "queries are looked for in the wrong place");
    // Queries read a histogram by its name with a suffix.
    let plain = |name: &str| {
        let ends = ["_bucket", "_count", "_sum"].iter().find_map(|end| name.strip_suffix(end));
        ends.filter(|base| there.contains(*base)).unwrap_or(name).to_owned()
    };
    let is_of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = found.iter().flat_map(|query| query.split(|c: char| !is_of_a_name(c)));
    let named: BTreeSet<_> = words.filter(|w| w.starts_with("vivid_")).map(plain).collect();
    none("metrics of the dashboard that the code doesn't have", named.difference(&there).cloned().collect());
    let sources = dashboard["templating"]["list"].as_array().expect("variables");
    assert!(sources.iter().any(|v| v["type"] == "datasource" && v["name"] == "datasource"), "{sources:?}");
}

#[test]
fn every_metric_is_explained() {
    let page = repo::text("docs/operations.md");
    let there = metrics();
    let shown: BTreeSet<_> =
        page.split('`').filter(|w| w.starts_with("vivid_") && !w.contains(' ')).map(str::to_owned).collect();
    assert!(there.len() > 10, "metrics are looked for in the wrong place: {there:?}");
    none("metrics that docs/operations.md doesn't list", there.difference(&shown).cloned().collect());
    none("metrics that docs/operations.md lists in vain", shown.difference(&there).cloned().collect());
}
