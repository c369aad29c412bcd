//! Compares the results of two runs: all values side by side, and all other differences.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::table;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// File with the output of a subcommand with --json, or the file that it wrote with --output.
    a: PathBuf,
    /// The same for another run.
    b: PathBuf,
}

/// A result: its numbers, and everything else, by path within the JSON.
#[derive(Debug, Default, PartialEq)]
struct Leaves {
    figures: Vec<(String, f64)>,
    facts: Vec<(String, String)>,
}

/// The comparison of two results.
#[derive(Debug, PartialEq)]
struct Comparison {
    /// Rows in the order of the first result, then those that only the second has.
    figures: Vec<Pair>,
    /// Differences in machine, device, settings and other values that are not numbers.
    other: Vec<(String, String, String)>,
}

/// One value in both results.
#[derive(Debug, PartialEq)]
struct Pair {
    name: String,
    a: Option<f64>,
    b: Option<f64>,
}

pub fn run(args: &Args) -> Result<()> {
    let [a, b] = [&args.a, &args.b].map(|path| read(path).with_context(|| format!("reading {}", path.display())));
    let comparison = compare(&a?, &b?)?;
    comparison.print(args);
    Ok(())
}

fn read(path: &Path) -> Result<Value> {
    parse(&std::fs::read_to_string(path)?)
}

/// Parses the result in a text: the whole text, or its last line if a table precedes it.
fn parse(text: &str) -> Result<Value> {
    let last = text.trim_end().lines().next_back().context("it is empty")?;
    let value: Value = serde_json::from_str(text).or_else(|_| serde_json::from_str(last))?;
    if value.get("bench").and_then(Value::as_str).is_none() {
        bail!("not a result of bench: it names no subcommand");
    }
    Ok(value)
}

/// # Errors
/// Fails if the results are of different subcommands.
fn compare(a: &Value, b: &Value) -> Result<Comparison> {
    if a["bench"] != b["bench"] {
        bail!("the results are of different subcommands: {} and {}", a["bench"], b["bench"]);
    }
    let [a, b] = [a, b].map(|value| {
        let mut leaves = Leaves::default();
        gather(value, "", &mut leaves);
        leaves
    });
    let find = |of: &Leaves, name: &str| of.figures.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
    let mut figures: Vec<Pair> =
        a.figures.iter().map(|(name, v)| Pair { name: name.clone(), a: Some(*v), b: find(&b, name) }).collect();
    let only_b = b.figures.iter().filter(|(name, _)| find(&a, name).is_none());
    figures.extend(only_b.map(|(name, v)| Pair { name: name.clone(), a: None, b: Some(*v) }));

    let fact = |of: &Leaves, name: &str| {
        of.facts.iter().find(|(n, _)| n == name).map_or_else(|| "nothing".to_owned(), |(_, v)| v.clone())
    };
    let mut names: Vec<&String> = a.facts.iter().map(|(name, _)| name).collect();
    names.extend(b.facts.iter().map(|(name, _)| name).filter(|name| a.facts.iter().all(|(n, _)| n != *name)));
    let other = names
        .into_iter()
        .map(|name| (name.clone(), fact(&a, name), fact(&b, name)))
        .filter(|(_, a, b)| a != b)
        .collect();
    Ok(Comparison { figures, other })
}

/// Flattens a value. Rows of a list are identified by their values that are not measurements, else by index.
fn gather(value: &Value, at: &str, leaves: &mut Leaves) {
    let under = |name: &str| if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") };
    match value {
        // The processor and the number of cores describe the machine; they are not results to compare.
        Value::Number(n) if !is_fact(at) => leaves.figures.push((at.to_owned(), n.as_f64().unwrap_or(f64::NAN))),
        Value::Object(members) => {
            for (name, member) in members {
                gather(member, &under(name), leaves);
            }
        }
        Value::Array(items) => {
            let labels: Vec<String> = items.iter().map(label).collect();
            for (k, item) in items.iter().enumerate() {
                let alone = !labels[k].is_empty() && labels.iter().filter(|l| **l == labels[k]).count() == 1;
                let label = if alone { labels[k].clone() } else { k.to_string() };
                gather(item, &format!("{at}[{label}]"), leaves);
            }
        }
        Value::Null => {}
        Value::String(text) => leaves.facts.push((at.to_owned(), text.clone())),
        other => leaves.facts.push((at.to_owned(), other.to_string())),
    }
}

fn is_fact(at: &str) -> bool {
    at.starts_with("machine.") || at.ends_with("].width") || at.ends_with("].height")
}

/// Returns the identity of a row in a list.
fn label(row: &Value) -> String {
    let Some(members) = row.as_object() else { return String::new() };
    // Status values and release numbers must not make two rows differ.
    let told =
        members.iter().filter(|(name, _)| !matches!(name.as_str(), "version" | "met" | "atLeast" | "samePicture"));
    let mut words: Vec<String> = told
        .filter_map(|(name, member)| match member {
            Value::String(text) => Some(text.clone()),
            Value::Bool(true) => Some(name.clone()),
            _ => None,
        })
        .collect();
    if let (Some(width), Some(height)) = (members.get("width"), members.get("height")) {
        words.push(format!("{width}×{height}"));
    }
    words.join(" ")
}

impl Comparison {
    /// Whether both were measured on the same processor with the same number of cores, and with the same device.
    fn same_machine(&self) -> bool {
        let decides = ["machine.cpu", "machine.cores", "device", "machine.device"];
        self.other.iter().all(|(name, ..)| !decides.contains(&name.as_str()))
    }

    fn print(&self, args: &Args) {
        println!("A: {}", args.a.display());
        println!("B: {}", args.b.display());
        if !self.same_machine() {
            println!("DIFFERENT MACHINE OR DEVICE: the ratios compare these, not the change between the runs");
        }
        println!();
        let quoted = |text: &str| format!("“{text}”");
        let rows: Vec<_> = self.other.iter().map(|(name, a, b)| vec![name.clone(), quoted(a), quoted(b)]).collect();
        if !rows.is_empty() {
            table::print(&["differs", "A", "B"], &rows);
            println!();
        }
        let figure = |v: Option<f64>| v.map_or_else(|| "none".to_owned(), |v| format!("{v:.3}"));
        let rows: Vec<_> = self
            .figures
            .iter()
            .map(|pair| {
                let ratio = pair.ratio().map_or_else(String::new, |ratio| format!("{ratio:.3}"));
                vec![pair.name.clone(), figure(pair.a), figure(pair.b), ratio]
            })
            .collect();
        table::print(&["figure", "A", "B", "B / A"], &rows);
    }
}

impl Pair {
    /// Returns the second value divided by the first, if both exist and the ratio is defined.
    fn ratio(&self) -> Option<f64> {
        let ratio = self.b? / self.a?;
        ratio.is_finite().then_some(ratio)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(cpu: &str, ms: f64) -> Value {
        json!({
            "bench": "peers",
            "machine": { "cpu": cpu, "cores": 2, "commit": "abc" },
            "device": "cpu",
            "rows": [
                { "peer": "ours", "dithered": false, "version": "1", "width": 8, "height": 9, "latencyMs": { "median": ms } },
                { "peer": "ours", "dithered": true, "version": "1", "width": 8, "height": 9, "latencyMs": { "median": 3.0 } },
            ],
        })
    }

    #[test]
    fn figures_stand_side_by_side_with_their_ratio() {
        let found = compare(&result("x", 4.0), &result("x", 2.0)).unwrap();
        let names: Vec<_> = found.figures.iter().map(|p| (p.name.as_str(), p.ratio())).collect();
        assert_eq!(
            names,
            [("rows[ours 8×9].latencyMs.median", Some(0.5)), ("rows[dithered ours 8×9].latencyMs.median", Some(1.0))]
        );
        assert!(found.other.is_empty() && found.same_machine());
    }

    #[test]
    fn another_machine_or_device_is_told_and_another_commit_is_no_alarm() {
        let a = result("x", 4.0);
        let found = compare(&a, &result("y", 4.0)).unwrap();
        assert!(!found.same_machine());
        assert_eq!(found.other, [("machine.cpu".to_owned(), "x".to_owned(), "y".to_owned())]);

        let mut cores = a.clone();
        cores["machine"]["cores"] = json!(16);
        assert!(!compare(&a, &cores).unwrap().same_machine());

        let mut device = a.clone();
        device["device"] = json!("some GPU");
        assert!(!compare(&a, &device).unwrap().same_machine());
        device.as_object_mut().unwrap().remove("device");
        assert!(!compare(&a, &device).unwrap().same_machine());

        let mut commit = a.clone();
        commit["machine"]["commit"] = json!("def");
        let found = compare(&a, &commit).unwrap();
        assert!(found.same_machine());
        assert_eq!(found.other.len(), 1);
    }

    #[test]
    fn what_one_alone_has_is_shown() {
        let (mut a, mut b) = (result("x", 4.0), result("x", 4.0));
        a["only"] = json!(1.0);
        b["rows"][1]["peer"] = json!("theirs");
        let found = compare(&a, &b).unwrap();
        let find = |name: &str| found.figures.iter().find(|p| p.name == name).map(|p| (p.a, p.b, p.ratio()));
        assert_eq!(find("only"), Some((Some(1.0), None, None)));
        assert_eq!(find("rows[dithered theirs 8×9].latencyMs.median"), Some((None, Some(3.0), None)));
        assert_eq!(find("rows[dithered ours 8×9].latencyMs.median"), Some((Some(3.0), None, None)));
    }

    #[test]
    fn a_row_that_fares_worse_is_still_the_same_row() {
        let row =
            |met: bool, version: &str| json!({ "name": "raster", "met": met, "version": version, "atLeast": true });
        assert_eq!(label(&row(true, "1")), label(&row(false, "2")));
        let equal = json!({ "bench": "x", "list": [{ "a": 1.0 }, { "a": 2.0 }] });
        let found = compare(&equal, &equal).unwrap();
        assert_eq!(found.figures.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["list[0].a", "list[1].a"]);
    }

    #[test]
    fn a_ratio_over_nothing_is_none() {
        assert_eq!(Pair { name: String::new(), a: Some(0.0), b: Some(2.0) }.ratio(), None);
        assert_eq!(Pair { name: String::new(), a: Some(2.0), b: Some(0.0) }.ratio(), Some(0.0));
    }

    #[test]
    fn results_are_read_alone_and_behind_a_table() {
        let value = result("x", 1.0);
        assert_eq!(parse(&serde_json::to_string_pretty(&value).unwrap()).unwrap(), value);
        assert_eq!(parse(&format!("some cpu, 2 cores\n\nhead  figure\n{value}\n")).unwrap(), value);
        assert!(parse("").is_err());
        assert!(parse("a table alone").is_err());
        assert!(parse(r#"{ "rows": [] }"#).is_err());
        assert!(compare(&value, &json!({ "bench": "render" })).is_err());
    }
}
