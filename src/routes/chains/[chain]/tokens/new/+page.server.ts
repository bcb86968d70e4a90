import { fail, redirect } from '@sveltejs/kit';
import { isHash } from '#lib/chain/idText.ts';
import { isMainChain } from '#lib/chain/mainChain.ts';
import { formatUnits } from '#lib/chain/tokenUnits.ts';
import { warnings } from '#lib/messages/transactions/warnings.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { tokenPiece } from '#lib/server/chains/explorer/indexedToken.ts';
import { DEFAULT_RELAY_BYTES, SCRIPT_BYTES } from '#lib/server/chains/health/relayLimits.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { alikeWarning, confusableTokens } from '#lib/server/wallet/drafts/confusableTokens.ts';
import { FEE, MARKER } from '#lib/server/wallet/transactions/verifyTransaction.ts';
import { isTransactionError, lockedBy } from '#lib/server/wallet/transactions/errors.ts';
import { formWallet } from '#lib/server/wallet/transactions/formWallet.ts';
import { migrationOutlook } from '#lib/server/wallet/transactions/guards.ts';
import type {
	CreateRequest,
	FieldErrors,
	TypedToken
} from '#lib/server/wallet/transactions/request.ts';
import {
	DESCRIPTION_BYTES,
	MAX_CREATION_DECIMALS,
	NAME_BYTES,
	readCreate,
	USABLE_NFT_CODES
} from '#lib/server/wallet/transactions/request.ts';
import { markedText } from '#lib/text/confusables.ts';
import { lines, readForm, shown, text, trimmed } from '#lib/server/platform/http/readForm.ts';
import { mayRead } from '../../../../readers.ts';
import { requireMember } from '../../../../requireMember.ts';
import { toReview } from '../../../../toReview.ts';
import type { Actions, PageServerLoad } from './$types';

const EMPTY: TypedToken = {
	kind: 'fungible',
	name: '',
	supply: '',
	decimals: '0',
	description: '',
	data: ''
};

/** Returns the form for a token with these properties. */
function formOf(token: Omit<CreateRequest, 'kind'>): TypedToken {
	const { name, description, data, supply } = token;
	const fungible = data === '';
	const shown = fungible ? (token.decimals ?? 0) : 0;
	const decimals = shown <= MAX_CREATION_DECIMALS ? shown : 0;
	return {
		kind: fungible ? 'fungible' : 'non-fungible',
		name,
		description,
		data,
		supply: fungible ? formatUnits(supply, decimals) : '',
		decimals: decimals.toString()
	};
}

/** Returns the properties of an existing token; null when it cannot be read now. */
async function likeToken(locals: App.Locals, chain: string, tokenid: string) {
	if (!isHash(tokenid) || !locals.app.gateway.chains().includes(chain)) return null;
	const client = new PageClient(locals.app.gateway, locals.requestId);
	const facts = await tokenPiece(client, locals.app.index, chain, tokenid);
	if (facts.data === null) return null;
	const { name, description, data, supply } = facts.data;
	if (name === null || description === null || supply === null) return null;
	const decimals = await locals.app.sender.decimals(chain, tokenid);
	return { name, description, data: data ?? '', supply, decimals, chain, tokenid };
}

export const load: PageServerLoad = async ({ locals, params: { chain }, url }) => {
	const { rights, sender } = locals.app;
	const person = locals.account?.name ?? '';
	const gateway = await rights.gatewayOf(person);
	const client = new PageClient(gateway, locals.requestId);
	const again = url.searchParams.get('again');
	const { drafts, index } = locals.app;
	const asked = url.searchParams.get('draft');
	const other = url.searchParams.get('beside');
	const [wallet, earlier, draft, beside, kept, like] = await Promise.all([
		formWallet(client, chain, { rights, sender }, person, 'tokens'),
		again !== null && (await mayRead(locals, 'review', again)) ? sender.get(again) : null,
		asked === null ? null : drafts.get(asked),
		other === null ? null : drafts.get(other),
		drafts.list(chain),
		likeToken(
			locals,
			url.searchParams.get('from') ?? chain,
			(url.searchParams.get('like') ?? '').toLowerCase()
		)
	]);
	const configured = gateway.daemonFor(chain, 'wallet')?.dataCarrierSize ?? null;
	let initial = EMPTY;
	if (draft !== null) initial = draft.typed;
	else if (earlier?.request.kind === 'token-create') initial = formOf(earlier.request);
	else if (like !== null) initial = formOf(like);
	return withLabels(locals, {
		draft: draft && {
			id: draft.id,
			createdBy: draft.createdBy,
			writtenBy: draft.writtenBy,
			writtenAt: draft.writtenAt
		},
		/** The opened draft, when another member changed it before this one was saved. */
		beside: beside && { id: beside.id, writtenBy: beside.writtenBy },
		drafts: kept.map(({ id, typed, writtenBy, writtenAt }) => ({
			id,
			name: markedText(typed.name),
			writtenBy,
			writtenAt
		})),
		like: like && { chain: like.chain, tokenid: like.tokenid, name: markedText(like.name) },
		alike: await confusableTokens(index, chain, initial.name),
		now: client.now,
		wallet,
		initial,
		marker: MARKER,
		fee: FEE,
		limits: {
			name: NAME_BYTES,
			description: DESCRIPTION_BYTES,
			decimals: MAX_CREATION_DECIMALS
		},
		payload: {
			most: Math.min(configured ?? SCRIPT_BYTES, SCRIPT_BYTES),
			/** The daemons' default limit, when this daemon's own is not configured. */
			usual:
				configured !== null
					? null
					: isMainChain(chain)
						? DEFAULT_RELAY_BYTES.main
						: DEFAULT_RELAY_BYTES.asset
		},
		codes: [...USABLE_NFT_CODES].map(([code, module]) => ({ code: code.toString(16), module })),
		outlook: {
			fungible: warnings.text(migrationOutlook(false, 0).message),
			nonFungible: warnings.text(migrationOutlook(true, 0).message)
		}
	});
};

export const actions: Actions = {
	default: async ({ request, locals, params: { chain } }) => {
		const { account } = requireMember(locals);
		const {
			draft: draftId,
			do: act,
			'shown.written': written,
			...typed
		} = await readForm(request, {
			kind: text,
			name: lines,
			supply: text,
			decimals: trimmed,
			description: lines,
			data: lines,
			draft: text,
			do: text,
			'shown.written': shown
		});
		const refused = (
			errors: FieldErrors,
			problem: string | null = null,
			at: string | null = null
		) => fail(400, { typed, errors, problem, at });
		const { app } = locals;
		const here = `/chains/${encodeURIComponent(chain)}/tokens/new`;
		const draft = draftId || null;
		const seen = /^\d{1,15}$/.test(written ?? '') ? Number(written) : undefined;
		try {
			if (act === 'remove' && draft !== null) {
				await app.drafts.remove(draft, account.name, seen);
				redirect(303, here);
			}
			if (act === 'keep') {
				const kept = await app.drafts.keep(chain, typed, account.name, draft, seen);
				if (!kept.ok) return refused(kept.errors);
				const other = draft === null || draft === kept.id ? '' : `&beside=${draft}`;
				redirect(303, `${here}?draft=${kept.id}${other}`);
			}
		} catch (cause) {
			if (!isTransactionError(cause)) throw cause;
			const status = cause.code === 'work.draft-changed' ? 409 : 403;
			return fail(status, { typed, errors: {} as FieldErrors, problem: cause.message, at: null });
		}
		const read = readCreate(typed);
		if (!read.ok) return refused(read.errors);
		const alike = alikeWarning(chain, await confusableTokens(app.index, chain, read.request.name));
		const told = alike === null ? [] : [alike];
		return toReview(app.sender.createToken(chain, read.request, account.name, told), (cause) =>
			cause.field === null
				? refused({}, cause.message, lockedBy(cause))
				: refused({ [cause.field]: cause.message })
		);
	}
};
