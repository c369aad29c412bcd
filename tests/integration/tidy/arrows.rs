//! Checks the dependency arrows of docs/architecture.md: which crates and modules may depend on which.

use std::process::Command;

use super::{is_unit_test, none, shipped};
use crate::repo;

/// `from` (a folder or a file) must not contain any of `never`, except in the folders or files of `except`.
struct Rule {
    from: &'static str,
    except: &'static [&'static str],
    never: &'static [&'static str],
}

/// No exceptions.
const NOWHERE: &[&str] = &[];

const RULES: [Rule; 14] = [
    Rule {
        from: "render-core/src/",
        except: NOWHERE,
        never: &[
            "std::fs",
            "std::env",
            "std::net",
            "std::process",
            "std::time",
            "SystemTime",
            "Instant::now",
            "tokio::",
            "rand::",
            "getrandom",
        ],
    },
    Rule { from: "render-core/src/", except: &["render-core/src/raster/gpu/"], never: &["wgpu::"] },
    Rule { from: "render-core/src/raster/cpu/", except: NOWHERE, never: &["raster::gpu"] },
    Rule {
        from: "render-core/src/raster/gpu/",
        except: &["render-core/src/raster/gpu/tests.rs"],
        never: &["raster::cpu"],
    },
    Rule { from: "coordinator/src/", except: &["coordinator/src/state"], never: &["sled::"] },
    Rule {
        from: "coordinator/src/",
        except: &["coordinator/src/api/", "coordinator/src/http/"],
        never: &["StatusCode"],
    },
    Rule { from: "worker/src/", except: NOWHERE, never: &["sled::", "StatusCode", "coordinator::"] },
    // Everything is fetched through the guarded dialler. Only the operator's own language model is reached without it.
    Rule { from: "worker/src/", except: NOWHERE, never: &["TcpStream", "lookup_host", "reqwest::", "hyper::"] },
    Rule {
        from: "fleet/src/",
        except: &["fleet/src/net/", "fleet/src/llm/"],
        never: &["tokio::net", "lookup_host", "reqwest::", "hyper::client"],
    },
    Rule {
        from: "fleet/src/",
        except: &[
            "fleet/src/nats/",
            "fleet/src/queue/nats",
            "fleet/src/job_service/nats.rs",
            "fleet/src/job_service/owner.rs",
            "fleet/src/presence.rs",
        ],
        never: &["async_nats::"],
    },
    Rule { from: "worker/src/", except: NOWHERE, never: &["async_nats::"] },
    Rule { from: "coordinator/src/", except: NOWHERE, never: &["async_nats::"] },
    Rule { from: "fleet/src/", except: NOWHERE, never: &["sled::", "worker::", "coordinator::"] },
    // NATS has its own status codes.
    Rule { from: "fleet/src/", except: &["fleet/src/queue/nats"], never: &["StatusCode"] },
];

/// Modules of render-core, and the modules that each must not depend on.
const APART: [(&str, &[&str]); 10] = [
    ("content", &["outline", "design", "plan", "compose", "scene", "raster", "inspect", "encode", "text"]),
    ("outline", &["plan", "compose", "scene", "raster", "inspect", "encode"]),
    ("design", &["plan", "compose", "raster", "inspect", "encode"]),
    ("text", &["outline", "design", "plan", "compose", "raster", "inspect", "encode"]),
    ("compose", &["plan", "raster", "inspect", "encode"]),
    ("scene", &["content", "outline", "design", "plan", "compose", "raster", "inspect", "encode"]),
    ("inspect", &["plan", "compose", "encode"]),
    ("raster", &["content", "outline", "design", "plan", "compose", "inspect", "encode"]),
    ("encode", &["content", "outline", "design", "plan", "compose", "inspect", "scene", "text"]),
    ("pdf", &["content", "outline", "design", "plan", "compose", "inspect"]),
];

/// Returns the source without its comments.
fn code(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Whether the code contains `name` as a whole identifier path, not as the end of a longer one.
fn names(code: &str, name: &str) -> bool {
    let ends_another = |at: usize| code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices(name).any(|(at, _)| !ends_another(at))
}

#[test]
fn no_module_names_what_it_must_not_know() {
    let sources = repo::texts("rs");
    let mut findings = Vec::new();
    for rule in &RULES {
        let mut seen = 0;
        for (file, text) in
            sources.iter().filter(|(f, _)| f.starts_with(rule.from) && !rule.except.iter().any(|e| f.starts_with(e)))
        {
            seen += 1;
            let code = code(text);
            findings.extend(rule.never.iter().filter(|n| names(&code, n)).map(|n| format!("{file} -> {n}")));
        }
        assert!(seen > 0, "a rule for {} covers nothing", rule.from);
    }
    none("arrows that must not be", findings);
}

/// Returns the modules of its own crate that a source names: what follows `crate::` or `super::`, including groups.
fn named(code: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let rest = &code[at + start.len()..];
            match rest.strip_prefix('{') {
                Some(group) => names.extend(heads(group)),
                None => names.push(ident(rest)),
            }
        }
    }
    names
}

fn ident(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}

/// Returns the first segments in a group of a `use`.
fn heads(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut heads = Vec::new();
    let mut fresh = true;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && depth == 0 && !c.is_whitespace() => {
                heads.push(ident(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    heads
}

#[test]
fn the_core_flows_one_way() {
    let mut findings = Vec::new();
    for (module, never) in APART {
        let folder = format!("render-core/src/{module}/");
        let sources: Vec<_> =
            repo::texts("rs").into_iter().filter(|(f, _)| f.starts_with(&folder) && !is_unit_test(f)).collect();
        assert!(!sources.is_empty(), "{folder} is gone, and its rule with it");
        for (file, text) in sources {
            let code = code(&shipped(&text).join("\n"));
            let mut crossed: Vec<_> = named(&code).into_iter().filter(|n| never.contains(n)).collect();
            crossed.sort_unstable();
            crossed.dedup();
            findings.extend(crossed.into_iter().map(|n| format!("{file} -> {n}")));
        }
    }
    none("arrows against the flow", findings);
}

#[test]
fn names_are_found_alone_and_in_groups() {
    let code = "use crate::{design::{Page, Style}, text::Fonts,\n raster};\nuse super::scene::Scene; let x = crate::limits::A;";
    let mut names = named(code);
    names.sort_unstable();
    assert_eq!(names, ["design", "limits", "raster", "scene", "text"]);
}

/// Returns the packages that a package depends on, according to `cargo tree`, without versions.
fn built_from(package: &str) -> Vec<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "--package", package, "--edges", "normal,build", "--prefix", "none", "--format", "{lib}"])
        .args(["--locked", "--all-features"])
        .current_dir(repo::root())
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let names = String::from_utf8(tree.stdout).unwrap();
    names.lines().map(|l| l.split_whitespace().next().unwrap_or("").replace('-', "_")).collect()
}

#[test]
fn the_core_is_built_from_nothing_impure() {
    let parts = built_from("render-core");
    assert!(parts.iter().any(|p| p == "serde"), "{parts:?}");
    for never in
        ["tokio", "reqwest", "hyper", "sled", "object_store", "fleet", "worker", "coordinator", "rand", "getrandom"]
    {
        assert!(!parts.iter().any(|p| p == never), "render-core is built from {never}");
    }
}

#[test]
fn workers_know_neither_the_state_nor_the_api() {
    for (package, nevers) in [("worker", ["coordinator", "sled", "axum"]), ("fleet", ["worker", "coordinator", "sled"])]
    {
        let parts = built_from(package);
        assert!(parts.iter().any(|p| p == "render_core"), "{parts:?}");
        for never in nevers {
            assert!(!parts.iter().any(|p| p == never), "{package} is built from {never}");
        }
    }
}
