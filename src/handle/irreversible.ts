import type { RequestEvent } from '@sveltejs/kit';
import { IRREVERSIBLE, actTitle } from '#lib/messages/irreversible.ts';
import { irreversibleActions } from '#lib/server/access/policy/routes.ts';
import { namedActions } from '#lib/server/platform/http/formAction.ts';
import { NAMED_FIELD, SURE_FIELD, type Question } from '#lib/text/irreversible.ts';

/** What a form does that cannot be undone, and whether the form says that this is meant. */
export interface AskedAct {
	question: Question;
	isSure: boolean;
}

/** Returns what a form, whose body is in memory, does that cannot be undone; null for any other form. */
export async function actOf({ request, route, url }: RequestEvent): Promise<AskedAct | null> {
	const id = route.id ?? '';
	const acts = Object.hasOwn(irreversibleActions, id) ? irreversibleActions[id] : undefined;
	const action = namedActions(url).find((name) => acts !== undefined && Object.hasOwn(acts, name));
	const act = action === undefined ? undefined : acts?.[action];
	if (act === undefined) return null;
	// A clone, since the body is read again. What cannot be read does not say that it is meant.
	const form = await request
		.clone()
		.formData()
		.catch(() => null);
	const named = form?.get(NAMED_FIELD);
	const { title, text } = IRREVERSIBLE[act];
	return {
		question: { title, about: actTitle(title, typeof named === 'string' ? named : ''), text },
		isSure: form?.get(SURE_FIELD) === 'yes'
	};
}
