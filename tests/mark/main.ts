/**
 * Draws the pictures of the mark for browsers, phones and link previews from `static/favicon.svg` and `social.html`:
 * `node tests/mark/main.ts`, after one of the two has changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { ensureChromium } from '../support/chromium.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const STATIC = join(ROOT, 'static');
const GROUND = '#0b6b50';

/** The mark in a square; `bleed`: on a ground to the edges, the mark smaller, for systems that cut a shape of their own. */
async function square(page: Page, size: number, bleed: number | null): Promise<Buffer> {
	const svg = readFileSync(join(STATIC, 'favicon.svg'), 'utf8');
	const inner = bleed === null ? size : Math.round(size * bleed);
	await page.setViewportSize({ width: size, height: size });
	await page.setContent(
		`<style>body{margin:0;height:100vh;display:grid;place-items:center;background:${bleed === null ? 'transparent' : GROUND}}svg{width:${inner}px;height:${inner}px}</style>${svg}`
	);
	return page.screenshot({ omitBackground: true });
}

const browser = await chromium.launch({
	executablePath: ensureChromium(),
	args: process.getuid?.() === 0 ? ['--no-sandbox'] : []
});
try {
	const page = await browser.newPage();
	writeFileSync(join(STATIC, 'favicon.png'), await square(page, 48, null));
	writeFileSync(join(STATIC, 'apple-touch-icon.png'), await square(page, 180, 0.86));
	writeFileSync(join(STATIC, 'icon-192.png'), await square(page, 192, null));
	writeFileSync(join(STATIC, 'icon-512.png'), await square(page, 512, null));
	writeFileSync(join(STATIC, 'icon-maskable.png'), await square(page, 512, 0.72));
	await page.setViewportSize({ width: 1200, height: 630 });
	await page.goto(pathToFileURL(join(import.meta.dirname, 'social.html')).href);
	await page.evaluate(() => document.fonts.ready);
	writeFileSync(join(STATIC, 'social.png'), await page.screenshot());
} finally {
	await browser.close();
}
