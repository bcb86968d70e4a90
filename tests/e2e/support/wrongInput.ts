/** Fills in a form with wrong values, given as data, and reads the error at the field. */
import { expect, type Page } from '@playwright/test';
import { descriptionOf, type PlainBrowser, type PlainPage } from './plainBrowser.ts';

/** Wrong values of a field, each with the error that the page shows. */
export type WrongValues = readonly (readonly [value: string, sentence: RegExp])[];

export interface FormCase {
	path: string;
	/** Selector of the form on its page. */
	form: string;
	/** Valid values for all fields, by the field's name. */
	right: Readonly<Record<string, string>>;
	wrong: Readonly<Record<string, WrongValues>>;
	/** Text of the submit button, if it is not the last one. */
	button?: string;
}

/** Types into a field, or selects; a value that a list lacks is added to it first. */
async function enter(page: Page, form: string, name: string, value: string): Promise<void> {
	const field = page.locator(`${form} [name="${name}"]`);
	const type = await field.first().evaluate((element) => element.getAttribute('type'));
	if (type === 'radio') return page.locator(`${form} [name="${name}"][value="${value}"]`).check();
	if ((await field.evaluate(({ tagName }) => tagName)) !== 'SELECT') {
		// The browser would truncate a text that is too long, which other clients do not.
		await field.evaluate((element) => element.removeAttribute('maxlength'));
		return field.fill(value);
	}
	await field.evaluate((select: HTMLSelectElement, wanted) => {
		if ([...select.options].every((option) => option.value !== wanted)) {
			select.add(new Option(wanted, wanted));
		}
	}, value);
	await field.selectOption(value);
}

/**
 * Submits the form with one wrong value among valid ones, without the browser's own validation, and expects the
 * error at the field and all other input kept. Lists and passwords are reset.
 */
export async function expectRefused(
	page: Page,
	{ path, form, right, button }: FormCase,
	name: string,
	[value, sentence]: WrongValues[number]
): Promise<void> {
	const what = `${path}, ${name}: ${value.slice(0, 24)}`;
	await page.goto(path);
	const typed = { ...right, [name]: value };
	await page.locator(form).evaluate((element: HTMLFormElement) => {
		element.noValidate = true;
		for (const details of element.querySelectorAll('details')) details.open = true;
	});
	for (const [field, text] of Object.entries(typed)) await enter(page, form, field, text);
	const answered = page.waitForResponse((answer) => answer.request().method() !== 'HEAD');
	const send =
		button === undefined
			? page.locator(`${form} button:not([type="button"])`).last()
			: page.locator(form).getByRole('button', { name: button, exact: true });
	await send.click();
	await answered;
	const field = page.locator(`${form} [name="${name}"]`);
	await expect(field, what).toHaveAttribute('aria-invalid', 'true');
	await expect(field, what).toBeInViewport();
	await expect(field, what).toHaveAccessibleDescription(sentence);
	await expect(page.locator(`${form} [aria-invalid="true"]`), what).toHaveCount(1);
	for (const [other, text] of Object.entries(typed)) {
		const control = page.locator(`${form} [name="${other}"]`);
		const kind = await control
			.first()
			.evaluate((element) => element.getAttribute('type') ?? element.tagName);
		if (kind === 'password') await expect(control, `${what}, ${other}`).toHaveValue('');
		else if (kind === 'text' || kind === 'TEXTAREA') {
			await expect(control, `${what}, ${other}`).toHaveValue(text);
		}
	}
}

/**
 * The same with the page as rendered by the server, which every browser gets: with a real browser a form's many
 * wrong values would take minutes. `page` is the form's page as the previous refusal left it.
 */
export async function expectRefusedPlainly(
	browser: PlainBrowser,
	page: PlainPage,
	form: FormCase,
	name: string,
	[value, sentence]: WrongValues[number]
): Promise<PlainPage> {
	const what = `${form.path}, ${name}: ${value.slice(0, 24)}`;
	const typed = { ...form.right, [name]: value };
	const refused = await browser.submit(page, form, typed);
	const { $ } = refused;
	const invalid = `${form.form} [aria-invalid="true"]`;
	const names = $(invalid)
		.toArray()
		.map((field) => $(field).attr('name') ?? $(field).find('[name]').attr('name'));
	expect(names, `${what}: ${$('main').text().slice(0, 2000)}`).toEqual([name]);
	expect(descriptionOf(refused, invalid), what).toMatch(sentence);
	for (const [other, text] of Object.entries(typed)) {
		const control = $(`${form.form} [name="${other}"]`).first();
		const kind = control.is('textarea') ? 'textarea' : control.attr('type');
		if (kind === 'password') expect(control.val() ?? '', `${what}, ${other}`).toBe('');
		else if (kind === 'text' || kind === 'textarea') {
			expect(control.val(), `${what}, ${other}`).toBe(text);
		}
	}
	return refused;
}
