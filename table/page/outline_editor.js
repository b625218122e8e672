// A picture with an outline over it whose corners a finger drags. Beside each corner stands a grip, so that the
// finger does not hide the corner, and while one is dragged a loupe shows what lies under it.
// Places are pixels of the picture, of which the first has its middle at (0, 0).

const ZOOM = 4, LEAST_PX = 1.6; // of the loupe, over the picture on the screen; of a pixel in it
const REACH = 0.62; // of a grip's size, from its middle to the corner

export default {
  template: `
    <div class="outline-editor" ref="root">
      <div class="stage" ref="stage" :style="{ '--aspect': width / height }">
        <img ref="img" :src="src" draggable="false" alt="">
        <svg :viewBox="'-0.5 -0.5 ' + width + ' ' + height" preserveAspectRatio="none" aria-hidden="true">
          <polygon class="casing" :points="points" vector-effect="non-scaling-stroke" />
          <polygon class="edge" :class="{ bad }" :points="points" vector-effect="non-scaling-stroke" />
        </svg>
        <template v-for="(corner, i) in shown" :key="i">
          <span class="corner" :class="{ chosen: i === chosen, bad }" :style="at(corner)"></span>
          <span class="stalk" :style="stalk(i)"></span>
          <button type="button" class="grip" :class="{ chosen: i === chosen }" :style="grip(i)"
            :aria-label="labels[i]" :data-corner="i"
            @pointerdown.prevent="grab($event, i)" @pointermove="drag" @pointerup="drop" @pointercancel="drop"
            @keydown="nudge($event, i)"></button>
        </template>
      </div>
      <canvas ref="loupe" class="loupe" :class="{ left: loupeLeft }" v-show="held !== null"
        width="360" height="360" aria-hidden="true"></canvas>
    </div>`,
  props: {
    src: String,
    width: Number,
    height: Number,
    corners: Array,
    bends: Array,
    labels: Array,
    chosen: Number,
    bad: Boolean,
  },
  data() {
    return { shown: this.corners, held: null, offset: [0, 0], loupeLeft: false, box: [1, 1, 1, 1], size: 60 };
  },
  watch: {
    corners(now) {
      if (this.held === null) this.shown = now;
    },
  },
  computed: {
    points() {
      return this.outline().map((p) => p.join(",")).join(" ");
    },
    middle() {
      const sum = this.shown.reduce((a, c) => [a[0] + c[0], a[1] + c[1]], [0, 0]);
      return [sum[0] / this.shown.length, sum[1] / this.shown.length];
    },
  },
  mounted() {
    this.watcher = new ResizeObserver(() => this.measure());
    this.watcher.observe(this.$refs.root);
    this.watcher.observe(this.$refs.stage);
    this.measure();
  },
  unmounted() {
    this.watcher.disconnect();
  },
  methods: {
    measure() {
      const root = this.$refs.root.getBoundingClientRect();
      const stage = this.$refs.stage.getBoundingClientRect();
      this.box = [stage.left - root.left, stage.top - root.top, root.width, root.height, stage.width, stage.height];
      const grip = this.$el.querySelector(".grip");
      if (grip) this.size = grip.offsetWidth || 60;
    },
    outline() {
      const all = [];
      this.shown.forEach((start, i) => {
        const end = this.shown[(i + 1) % this.shown.length];
        const dx = end[0] - start[0], dy = end[1] - start[1];
        all.push(start);
        for (const [along, across] of this.bends[i] || []) {
          all.push([start[0] + along * dx - across * dy, start[1] + along * dy + across * dx]);
        }
      });
      return all;
    },
    perPixel() {
      return (this.box[4] || 1) / this.width;
    },
    onStage(place) {
      return [(place[0] + 0.5) * this.perPixel(), (place[1] + 0.5) * this.perPixel()];
    },
    at(place) {
      return { left: `${(100 * (place[0] + 0.5)) / this.width}%`, top: `${(100 * (place[1] + 0.5)) / this.height}%` };
    },
    // From a corner to the middle of its grip, on the screen: outwards, or inwards where there is no room.
    reach(i) {
      const [x, y] = this.onStage(this.shown[i]);
      const [mx, my] = this.onStage(this.middle);
      const length = Math.hypot(x - mx, y - my) || 1;
      const far = this.size * REACH, half = this.size / 2;
      const out = [((x - mx) / length) * far, ((y - my) / length) * far];
      const at = [this.box[0] + x + out[0], this.box[1] + y + out[1]];
      const fits = at[0] >= half && at[1] >= half && at[0] <= this.box[2] - half && at[1] <= this.box[3] - half;
      return fits ? out : [-out[0], -out[1]];
    },
    grip(i) {
      const [x, y] = this.onStage(this.shown[i]);
      const [dx, dy] = this.held === i ? this.lever : this.reach(i);
      return { left: `${x + dx}px`, top: `${y + dy}px` };
    },
    stalk(i) {
      const [x, y] = this.onStage(this.shown[i]);
      const [dx, dy] = this.held === i ? this.lever : this.reach(i);
      const angle = Math.atan2(dy, dx);
      return { left: `${x}px`, top: `${y}px`, width: `${this.size * (REACH - 0.5)}px`, transform: `rotate(${angle}rad)` };
    },
    place(event) {
      const stage = this.$refs.stage.getBoundingClientRect();
      return [
        ((event.clientX - stage.left) / stage.width) * this.width - 0.5,
        ((event.clientY - stage.top) / stage.height) * this.height - 0.5,
      ];
    },
    grab(event, i) {
      if (this.held !== null) return;
      event.target.focus();
      event.target.setPointerCapture(event.pointerId);
      const [x, y] = this.place(event);
      this.measure();
      this.lever = this.reach(i);
      this.offset = [this.shown[i][0] - x, this.shown[i][1] - y];
      this.held = i;
      this.$emit("chosen", { corner: i });
      this.$nextTick(this.magnify);
    },
    drag(event) {
      if (this.held === null) return;
      const [x, y] = this.place(event);
      const within = (value, most) => Math.min(Math.max(value, 0), most - 1);
      const moved = [within(x + this.offset[0], this.width), within(y + this.offset[1], this.height)];
      this.shown = this.shown.map((corner, i) => (i === this.held ? moved : corner));
      this.magnify();
    },
    drop() {
      if (this.held === null) return;
      const corner = this.held;
      const [x, y] = this.shown[corner];
      this.held = null;
      this.$emit("moved", { corner, x, y });
    },
    nudge(event, i) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      this.$emit("moved", { corner: i, x: this.shown[i][0] + step[0], y: this.shown[i][1] + step[1] });
    },
    // The loupe stands in the upper corner that is farther from the finger.
    magnify() {
      const loupe = this.$refs.loupe, img = this.$refs.img;
      if (!loupe || !img || !img.naturalWidth || this.held === null) return;
      const [x, y] = this.shown[this.held];
      this.loupeLeft = x > this.width / 2;
      const shown = loupe.getBoundingClientRect().width || 180;
      const part = shown / Math.max(ZOOM * this.perPixel(), LEAST_PX); // pixels of the picture across
      const scale = img.naturalWidth / this.width, zoom = loupe.width / part;
      const pen = loupe.getContext("2d");
      pen.fillStyle = "#000";
      pen.fillRect(0, 0, loupe.width, loupe.height);
      pen.drawImage(
        img, (x + 0.5 - part / 2) * scale, (y + 0.5 - part / 2) * scale, part * scale, part * scale,
        0, 0, loupe.width, loupe.height);
      const style = getComputedStyle(loupe);
      pen.lineWidth = 2;
      pen.strokeStyle = style.getPropertyValue(this.bad ? "--bad" : "--good") || "#5f5";
      pen.beginPath();
      this.outline().forEach(([px, py], i) => {
        const to = [loupe.width / 2 + (px - x) * zoom, loupe.height / 2 + (py - y) * zoom];
        i ? pen.lineTo(...to) : pen.moveTo(...to);
      });
      pen.closePath();
      pen.stroke();
      pen.strokeStyle = "#fff";
      pen.beginPath();
      pen.arc(loupe.width / 2, loupe.height / 2, 14, 0, 2 * Math.PI);
      pen.stroke();
    },
  },
};
