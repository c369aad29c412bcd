// Paint: a picture, bilinearly between its texels' middles. Mirrors `Picture`.

struct Picture {
    // The linear part of the map from pixels to texels, by rows.
    map: vec4<f32>,
    // The part that is shown, in texels: left, top, right, bottom.
    window: vec4<f32>,
    // What the map adds.
    at: vec2<f32>,
}

@group(2) @binding(0) var<storage, read> pictures: array<Picture>;
@group(2) @binding(1) var texels: texture_2d<f32>;

// What of a pixel lies between two edges, a pixel being `step` long.
fn shown(at: f32, left: f32, right: f32, step: f32) -> f32 {
    let per = 1.0 / max(step, 1e-30);
    return max(min((at - left) * per, 0.5) + min((right - at) * per, 0.5), 0.0);
}

fn paint(index: u32, p: vec2<f32>) -> Source {
    let it = pictures[index];
    let u = vec2<f32>(it.map.x * p.x + it.map.y * p.y, it.map.z * p.x + it.map.w * p.y) + it.at;
    let c = shown(u.x, it.window.x, it.window.z, length(it.map.xy))
        * shown(u.y, it.window.y, it.window.w, length(it.map.zw));
    // No texel from outside of the window comes in.
    let middle = (it.window.xy + it.window.zw) / 2.0;
    let held = max(min(u, max(it.window.zw - 0.5, middle)), min(it.window.xy + 0.5, middle));
    let last = vec2<i32>(textureDimensions(texels)) - 1;
    let at = clamp(held - 0.5, vec2<f32>(0.0), vec2<f32>(last));
    let i = vec2<i32>(at);
    let j = min(i + 1, last);
    let f = at - vec2<f32>(i);
    let above = mix(textureLoad(texels, i, 0), textureLoad(texels, vec2<i32>(j.x, i.y), 0), f.x);
    let below = mix(textureLoad(texels, vec2<i32>(i.x, j.y), 0), textureLoad(texels, j, 0), f.x);
    return Source(mix(above, below, f.y) * c, 0.0);
}
