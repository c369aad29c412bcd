// What every stage that draws shares: the target, the instances, and the vertex stage that makes a box of each.
// Mirrors `View` and `Instance` of render-core/src/raster/gpu/types.rs.

struct View {
    // The target's top left corner on the canvas, in pixels.
    origin: vec2<i32>,
    // Its width and height.
    size: vec2<u32>,
}

struct Instance {
    // Left and top of the box of pixels it can touch, on the canvas: left in the low half.
    near: u32,
    // Right and bottom.
    far: u32,
    // Which of its coverage's records it is, or for a mask where that lies.
    shape: u32,
    // Which of its paint's records it is.
    paint: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) near: u32,
    @location(1) @interpolate(flat) shape: u32,
    @location(2) @interpolate(flat) paint: u32,
}

fn unpack(pair: u32) -> vec2<i32> {
    return vec2<i32>(i32(pair & 0xffffu), i32(pair >> 16u));
}

@vertex
fn corner(@builtin(vertex_index) vertex: u32, @builtin(instance_index) index: u32) -> Corner {
    let it = instances[index];
    let near = unpack(it.near);
    let far = unpack(it.far);
    let at = vec2<i32>(select(near.x, far.x, (vertex & 1u) != 0u), select(near.y, far.y, (vertex & 2u) != 0u));
    let on_target = vec2<f32>(at - view.origin) / vec2<f32>(view.size);
    return Corner(
        vec4<f32>(on_target.x * 2.0 - 1.0, 1.0 - on_target.y * 2.0, 0.0, 1.0),
        it.near,
        it.shape,
        it.paint,
    );
}

// Held within 0 and 1; 0 where it is no number.
fn unit(v: f32) -> f32 {
    return min(max(v, 0.0), 1.0);
}
