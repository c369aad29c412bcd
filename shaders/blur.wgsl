// The stages of a Gaussian blur: a target is reduced to texels by the mean of squares of pixels, which are blurred across
// and then down. Mirrors `Blur`.

struct Blur {
    // Left, top, right, bottom on the grid of texels: of those made of the target, and of those that are wanted.
    drawn: vec4<i32>,
    wanted: vec4<i32>,
    // The target's top left corner on the canvas.
    origin: vec2<i32>,
    // Width and height of the canvas.
    canvas: vec2<i32>,
    // Edge in pixels of a texel.
    factor: i32,
    // Texels to either side that a texel draws on.
    reach: i32,
    // 1 where the texels at the edges go on beyond them, and those cut by the canvas are the mean of what is left.
    goes_on: u32,
    // Where its weights begin: of the texel itself, and of those 1, 2, … to either side of it.
    weights: u32,
}

@group(0) @binding(0) var<uniform> it: Blur;
@group(0) @binding(1) var<storage, read> weights: array<f32>;
@group(0) @binding(2) var<storage, read> from_texels: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> to_texels: array<vec4<f32>>;
@group(1) @binding(0) var drawn: texture_2d<f32>;

@compute @workgroup_size(8, 8)
fn reduce(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = it.drawn.zw - it.drawn.xy;
    let at = vec2<i32>(id.xy);
    if at.x >= size.x || at.y >= size.y {
        return;
    }
    let first = (it.drawn.xy + at) * it.factor;
    let end = min(first + it.factor, it.canvas);
    var sum = vec4<f32>(0.0);
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            sum += textureLoad(drawn, vec2<i32>(x, y) - it.origin, 0);
        }
    }
    var count = it.factor * it.factor;
    if it.goes_on != 0u {
        count = (end.x - first.x) * (end.y - first.y);
    }
    to_texels[at.y * size.x + at.x] = sum / f32(count);
}

@compute @workgroup_size(8, 8)
fn across(@builtin(global_invocation_id) id: vec3<u32>) {
    let width = it.wanted.z - it.wanted.x;
    let size = it.drawn.zw - it.drawn.xy;
    let at = vec2<i32>(id.xy);
    if at.x >= width || at.y >= size.y {
        return;
    }
    let middle = it.wanted.x + at.x - it.drawn.x;
    var sum = vec4<f32>(0.0);
    for (var k = -it.reach; k <= it.reach; k++) {
        let x = middle + k;
        let held = clamp(x, 0, size.x - 1);
        if it.goes_on != 0u || x == held {
            sum += from_texels[at.y * size.x + held] * weights[it.weights + u32(abs(k))];
        }
    }
    to_texels[at.y * width + at.x] = sum;
}

@compute @workgroup_size(8, 8)
fn down(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = it.wanted.zw - it.wanted.xy;
    let rows = it.drawn.w - it.drawn.y;
    let at = vec2<i32>(id.xy);
    if at.x >= size.x || at.y >= size.y {
        return;
    }
    let middle = it.wanted.y + at.y - it.drawn.y;
    var sum = vec4<f32>(0.0);
    for (var k = -it.reach; k <= it.reach; k++) {
        let y = middle + k;
        let held = clamp(y, 0, rows - 1);
        if it.goes_on != 0u || y == held {
            sum += from_texels[held * size.x + at.x] * weights[it.weights + u32(abs(k))];
        }
    }
    to_texels[at.y * size.x + at.x] = sum;
}
