/** Components for the facts of a transaction, by kind; some kinds show their facts elsewhere. */
import type { Component } from 'svelte';
import Claim from './Claim.svelte';
import Consolidation from './Consolidation.svelte';
import NotaryApproval from './NotaryApproval.svelte';
import Payment from './Payment.svelte';
import Split from './Split.svelte';
import TokenBurn from './TokenBurn.svelte';
import TokenCreate from './TokenCreate.svelte';
import TokenTransfer from './TokenTransfer.svelte';
import type { RequestKind, Shown } from './shown.ts';

const FACTS: { [K in RequestKind]?: Component<Shown<K>> } = {
	'token-create': TokenCreate,
	'token-transfer': TokenTransfer,
	'token-burn': TokenBurn,
	'notary-approval': NotaryApproval,
	'coin-send': Payment,
	merge: Consolidation,
	split: Split,
	claim: Claim
};

/** Returns the component for the facts of a kind. */
export const factsOf = <K extends RequestKind>(kind: K): Component<Shown<K>> | undefined =>
	FACTS[kind];
