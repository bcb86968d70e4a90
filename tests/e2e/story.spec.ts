import { tellTheStory } from './support/story.ts';

tellTheStory('fast');
