([leastButton, leastText, leastPrompt]) => {
    const dialog = document.querySelector('.q-dialog'), page = document.querySelector('.table-page, .place-page');
    const root = dialog || page, found = [];
    const unseen = each => each.getBoundingClientRect().width <= 1; // said to those who hear the page alone
    const shown = each => !unseen(each) && each.checkVisibility({visibilityProperty: true, opacityProperty: true});
    const named = each => (each.getAttribute('aria-label') || each.innerText || each.className)
        .replace(/\s+/g, ' ').slice(0, 60);
    const overlap = (a, b) => Math.min(
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
    const leaves = (box, frame) => Math.max(
        frame.left - box.left, frame.top - box.top, box.right - frame.right, box.bottom - frame.bottom) > 1.5;
    const screen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
    const scrolls = each => /auto|scroll/.test(getComputedStyle(each).overflow);

    const buttons = [...root.querySelectorAll('button, [role=button], a[href], input, select, textarea')]
        .filter(each => shown(each) && !each.disabled && !each.closest('[aria-hidden=true]'));
    for (const button of buttons) {
        const box = button.getBoundingClientRect();
        if (Math.min(box.width, box.height) < leastButton - 0.5)
            found.push(`small: ${named(button)}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`);
        let scroller = button.parentElement;
        while (scroller && scroller !== root && !scrolls(scroller)) scroller = scroller.parentElement;
        if (scroller && scrolls(scroller)) continue;
        if (leaves(box, screen)) found.push(`off the screen: ${named(button)}`);
        for (const [x, y] of [[.5, .5], [.15, .15], [.85, .15], [.15, .85], [.85, .85]]) {
            const at = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
            if (!at || !button.contains(at)) {
                found.push(`covered: ${named(button)} by ${at ? at.className || at.tagName : 'nothing'}`);
                break;
            }
        }
    }
    const texts = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || holder.closest('svg, style, .q-icon, .symbol') || !shown(holder)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const full = range.getBoundingClientRect(), style = getComputedStyle(holder);
        const bare = 0.15 * parseFloat(style.fontSize); // above and below the letters
        const box = {left: full.left, right: full.right, top: full.top + bare, bottom: full.bottom - bare};
        if (parseFloat(style.fontSize) < (holder.closest('.prompt .text') ? leastPrompt : leastText))
            found.push(`small text: ${node.data.trim().slice(0, 40)}: ${style.fontSize}`);
        if (style.textOverflow === 'ellipsis') continue;
        let above = holder, inScroller = false;
        for (; above && above !== root.parentElement; above = above.parentElement) {
            if (scrolls(above)) { inScroller = true; break; }
            const clips = getComputedStyle(above).overflow !== 'visible' || above.matches('button, .player, .pad');
            if (clips && leaves(box, above.getBoundingClientRect())) {
                found.push(`cut off: ${node.data.trim().slice(0, 40)} by ${above.className}`);
                break;
            }
        }
        if (inScroller) continue;
        if (leaves(box, screen)) found.push(`off the screen: ${node.data.trim().slice(0, 40)}`);
        texts.push([holder, box, node.data.trim().slice(0, 40)]);
    }
    texts.forEach(([holder, box, text], place) => {
        for (const [other, box2, text2] of texts.slice(place + 1))
            if (overlap(box, box2) > 2) found.push(`overlap: ${text} and ${text2}`);
        for (const button of buttons)
            if (!button.contains(holder) && overlap(box, button.getBoundingClientRect()) > 2)
                found.push(`overlap: ${text} and button ${named(button)}`);
    });
    return found;
}
