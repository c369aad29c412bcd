// The fragment stages that lay a group over what is around it. frame.wgsl stands before it. Mirrors `Group`.

struct Group {
    // The top left corners on the canvas of the group's target, its clip's, and the copy of what is under it.
    drawn_at: vec2<i32>,
    clip_at: vec2<i32>,
    under_at: vec2<i32>,
    opacity: f32,
    // 1 where it has a clip.
    clipped: u32,
    // Which of the blend modes of the scene, in their order.
    mode: u32,
}

struct Composed {
    @location(0) color: vec4<f32>,
    @location(1) dither: vec4<f32>,
}

@group(1) @binding(0) var<storage, read> groups: array<Group>;
@group(1) @binding(1) var drawn: texture_2d<f32>;
@group(1) @binding(2) var drawn_dither: texture_2d<f32>;
@group(1) @binding(3) var clip: texture_2d<f32>;
@group(1) @binding(4) var under: texture_2d<f32>;

// How much of the group is seen.
fn seen(it: Group, p: vec2<i32>) -> f32 {
    if it.clipped != 0u {
        return textureLoad(clip, p - it.clip_at, 0).r * it.opacity;
    }
    return it.opacity;
}

// Over, for the blending of draw.wgsl.
@fragment
fn over(in: Corner) -> Composed {
    let it = groups[in.shape];
    let p = vec2<i32>(in.position.xy) + view.origin;
    let c = seen(it, p);
    let color = textureLoad(drawn, p - it.drawn_at, 0) * c;
    let dither = textureLoad(drawn_dither, p - it.drawn_at, 0).r * c;
    return Composed(color, vec4<f32>(dither, 0.0, 0.0, color.a));
}

// A separable mode (W3C Compositing and Blending Level 1, 5.8), for no blending of colours and adding of dithers.
@fragment
fn blend(in: Corner) -> Composed {
    let it = groups[in.shape];
    let p = vec2<i32>(in.position.xy) + view.origin;
    let c = seen(it, p);
    let s = textureLoad(drawn, p - it.drawn_at, 0);
    let d = textureLoad(under, p - it.under_at, 0);
    let alpha = s.a * c;
    let below = min(d.rgb / max(d.a, 1e-9), vec3<f32>(1.0));
    let above = min(s.rgb / max(s.a, 1e-9), vec3<f32>(1.0));
    let mixed = vec3<f32>(
        mode(it.mode, below.r, above.r),
        mode(it.mode, below.g, above.g),
        mode(it.mode, below.b, above.b),
    );
    let color = d.rgb * (1.0 - alpha) + s.rgb * c * (1.0 - d.a) + alpha * d.a * mixed;
    let dither = textureLoad(drawn_dither, p - it.drawn_at, 0).r * c;
    return Composed(vec4<f32>(color, d.a * (1.0 - alpha) + alpha), vec4<f32>(dither, 0.0, 0.0, 0.0));
}

// Below this, what a dodge or a burn divides by is this.
const LEAST: f32 = 1.0 / 1024.0;

fn mode(which: u32, d: f32, s: f32) -> f32 {
    switch which {
        case 1u: { return d * s; }
        case 2u: { return screen(d, s); }
        case 3u: { return hard_light(s, d); }
        case 4u: { return min(d, s); }
        case 5u: { return max(d, s); }
        case 6u: { return min(d / max(1.0 - s, LEAST), 1.0); }
        case 7u: { return 1.0 - min((1.0 - d) / max(s, LEAST), 1.0); }
        case 8u: { return hard_light(d, s); }
        case 9u: { return soft_light(d, s); }
        case 10u: { return abs(d - s); }
        case 11u: { return d + s - 2.0 * d * s; }
        default: { return s; }
    }
}

fn screen(d: f32, s: f32) -> f32 {
    return d + s - d * s;
}

fn hard_light(d: f32, s: f32) -> f32 {
    if s <= 0.5 {
        return d * (2.0 * s);
    }
    return screen(d, 2.0 * s - 1.0);
}

fn soft_light(d: f32, s: f32) -> f32 {
    if s <= 0.5 {
        return d - (1.0 - 2.0 * s) * d * (1.0 - d);
    }
    var light = sqrt(max(d, 0.0));
    if d <= 0.25 {
        light = ((16.0 * d - 12.0) * d + 4.0) * d;
    }
    return d + (2.0 * s - 1.0) * (light - d);
}
