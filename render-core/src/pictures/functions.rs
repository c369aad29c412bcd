//! Functions of picture templates beside their parameters: colours, positions and random numbers.

use minijinja::{AutoEscape, Environment, State, UndefinedBehavior};

use crate::random::{STEP, mixed};

/// Skin colours, light and dark in turn, so that neighbours differ.
const SKIN: [&str; 6] = ["#f3c19d", "#7d4a2d", "#d8a074", "#57351f", "#ecab86", "#a8683f"];
/// Hair colours.
const HAIR: [&str; 6] = ["#6d3a1e", "#1c1612", "#33211a", "#120f12", "#c4822f", "#8d8a88"];
/// Colours of clothes, by role.
const CLOTHES: [&str; 5] = ["accent", "data2", "data3", "data4", "data5"];
/// Widths of outlines, relative to the width that a picture requests.
const OUTLINE: (f64, f64) = (1.0, 0.42);

/// Creates the environment for templates. An undefined name is an error, and nothing is escaped: the templates are
/// built in, and their parameters are numbers and words that the header lists.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_function("range", minijinja::functions::range);
    environment.add_filter("round", |n: f64| libm::round(n));
    environment.add_filter("int", |n: f64| n as i64);
    environment.add_function("min", |a: f64, b: f64| a.min(b));
    environment.add_function("max", |a: f64, b: f64| a.max(b));
    environment.add_function("sin", |degrees: f64| libm::sin(degrees.to_radians()));
    environment.add_function("cos", |degrees: f64| libm::cos(degrees.to_radians()));
    environment.add_function("sqrt", |n: f64| libm::sqrt(n.max(0.0)));
    environment.add_function("shade", |colour: String, by: f64| toward(&colour, "black", by));
    environment.add_function("light", |colour: String, by: f64| toward(&colour, "white", by));
    environment.add_function("mix", |a: String, b: String, by: f64| toward(&a, &b, by));
    environment.add_function("skin", |n: usize| SKIN[n % SKIN.len()]);
    environment.add_function("hair", |n: usize| HAIR[n % HAIR.len()]);
    environment.add_function("clothes", |n: usize| CLOTHES[n % CLOTHES.len()]);
    environment.add_function("chance", chance);
    environment.add_function("iso", iso);
    environment.add_function("pen", pen);
    environment
}

/// Mixes a colour with this percentage of another.
fn toward(from: &str, to: &str, by: f64) -> String {
    format!("color-mix(in oklab, {from}, {to} {by}%)")
}

/// Returns a pseudo-random number in 0–1 that depends only on the two arguments.
fn chance(seed: u64, n: u64) -> f64 {
    let state = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(n.wrapping_mul(STEP));
    (mixed(state) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Projects a point in space to an isometric view: x goes down to the right, y down to the left, z up.
fn iso(x: f64, y: f64, z: f64) -> String {
    let (across, down) = ((x - y) * 0.866, (x + y) * 0.5 - z);
    format!("{across:.2} {down:.2}")
}

/// Returns the outline of every shape in a manner, as attributes of the `svg`; `width` applies to thick outlines.
fn pen(state: &State<'_, '_>, width: f64) -> String {
    let manner = state.lookup("manner");
    let (color, width) = match manner.as_ref().and_then(|m| m.as_str()) {
        Some("outlined") => ("ink", OUTLINE.0 * width),
        Some("line") => ("ink", OUTLINE.1 * width),
        _ => return "stroke=\"none\"".to_owned(),
    };
    format!("stroke=\"{color}\" stroke-width=\"{width:.3}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_spread_and_repeats() {
        let all: Vec<f64> = (0..100).map(|n| chance(3, n)).collect();
        assert_eq!(all[7].to_bits(), chance(3, 7).to_bits());
        let mean = all.iter().sum::<f64>() / 100.0;
        assert!((0.4..0.6).contains(&mean) && all.iter().all(|n| (0.0..1.0).contains(n)), "{mean}");
    }

    #[test]
    fn the_corner_that_is_nearest_is_lowest() {
        assert_eq!(iso(10.0, 10.0, 0.0), "0.00 10.00");
        assert_eq!(iso(0.0, 0.0, 4.0), "0.00 -4.00");
    }
}
