/**
 * Marks parts of pages that were checked before. A part is identified by its elements, their attributes and
 * whether they contain text, and by the same of all surrounding elements: everything that axe considers is the
 * same, except the words.
 */
import type { Page } from '@playwright/test';

/** Attribute on parts that are like others while axe checks a page. */
export const ALIKE = '[data-alike]';

/**
 * Runs in the page. Marks parts that are like a known part or an earlier one of this page.
 * @returns the new parts
 */
function markIn(known: readonly number[]): number[] {
	const NAMES =
		/^(?:id|for|name|value|href|src|title|alt|d|points|action|formaction|datetime|placeholder)$/;
	const LABELS = /^aria-(?:label|labelledby|describedby|controls|details)$/;
	const hash = (text: string): number => {
		let [a, b] = [0xdeadbeef, 0x41c6ce57];
		for (let at = 0; at < text.length; at += 1) {
			const code = text.charCodeAt(at);
			a = Math.imul(a ^ code, 2654435761);
			b = Math.imul(b ^ code, 1597334677);
		}
		return (b >>> 0) * 2 ** 20 + ((a >>> 0) & 0xfffff);
	};
	const own = (element: Element): string =>
		[...element.attributes]
			.map(({ name, value }) => {
				const isSaid = NAMES.test(name) || LABELS.test(name) || /\d{4}|[0-9a-f]{8}/.test(value);
				return `${name}=${isSaid && name !== 'class' ? String(value.trim() !== '') : value}`;
			})
			.sort()
			.reduce((all, one) => `${all} ${one}`, element.localName);
	const made = new Map<Element, number>();
	const make = (element: Element): number => {
		let text = own(element);
		for (const child of element.childNodes) {
			if (child instanceof Element) text += `(${make(child)})`;
			else if (child instanceof Text && child.data.trim() !== '') text += '(text)';
		}
		const whole = hash(text);
		made.set(element, whole);
		return whole;
	};
	const all = new Set(known);
	const fresh: number[] = [];
	const walk = (element: Element, around: number): void => {
		for (const child of element.children) {
			if (child.childElementCount === 0) continue;
			const key = hash(`${around} ${made.get(child)!}`);
			if (all.has(key)) {
				child.setAttribute('data-alike', '');
				continue;
			}
			all.add(key);
			fresh.push(key);
			walk(child, hash(`${around} ${own(child)}`));
		}
	};
	make(document.documentElement);
	walk(document.documentElement, hash(own(document.documentElement)));
	return fresh;
}

/**
 * Marks parts that were checked in this way before, or that occur twice.
 * @returns the new parts
 */
export const markAlike = (page: Page, known: ReadonlySet<number>): Promise<number[]> =>
	page.evaluate(markIn, [...known]);

/** Removes the marks. */
export const unmark = (page: Page): Promise<void> =>
	page.evaluate((marks) => {
		for (const element of document.querySelectorAll(marks)) element.removeAttribute('data-alike');
	}, ALIKE);
