import type { ClientInit } from '@sveltejs/kit';
import { keepPageWhileServerIsAway } from '#lib/ui/steadyFetch.ts';

export const init: ClientInit = () => keepPageWhileServerIsAway();
