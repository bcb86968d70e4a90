import { themeOf, type Theme } from './theme.ts';

/** Where the choice of a theme is kept, by a form that works without scripts too. */
const ACTION = '/theme';

/** Whether a form is one that chooses the theme. */
export const isThemeForm = (form: HTMLFormElement): boolean =>
	new URL(form.action, location.href).pathname === ACTION;

/**
 * Keeps the choice of a form as sending it would, but on the page as it stands: nothing that is typed there is lost.
 * Where it cannot be kept the form is sent after all, and the answer says why. Without a network there would be none,
 * but the browser's own page in the place of this one, which has the theme until it is left.
 * @returns the theme that the page has now; null when it is left
 */
export async function chooseTheme(
	form: HTMLFormElement,
	submitter: HTMLElement | null
): Promise<Theme | null> {
	const fields = new FormData(form, submitter);
	const theme = themeOf(fields.get('theme'));
	const body = new URLSearchParams({ theme });
	const answer = await fetch(ACTION, { method: 'POST', body, redirect: 'manual' }).catch(
		() => null
	);
	// What is kept is answered by the way back to the page, which is not taken.
	if (answer === null || answer.type === 'opaqueredirect') {
		document.documentElement.dataset['theme'] = theme;
		return theme;
	}
	const field = document.createElement('input');
	Object.assign(field, { type: 'hidden', name: 'theme', value: theme });
	form.append(field);
	HTMLFormElement.prototype.submit.call(form);
	return null;
}
