/**
 * Emoji names of the public protocol that differ from those of emojibase: a code, then its names; clients show the
 * first one. Bots and the terminal client send emoji by name only. These facts about the wire come from what a public
 * client sends (the terminal client, 2022); newer emoji have the names of emojibase (emoji.ts).
 */
export const PROTOCOL_NAMES = `
002a-20e3 asterisk|203c bangbang double_exclamation|2122 tm trademark|2139 info|2194 left_right swap|
2195 up_down|2196 upper_left north_west|2197 upper_right north_east|2198 lower_right south_east|
2199 lower_left south_west|21a9 reply left_hook|21aa forward right_hook|231b times_up hourglass_done|
23ea rewind fast_reverse|23eb double_up fast_up|23ec double_down fast_down|23ed next_track skip_forward|
23ee previous_track skip_back|23ef play_pause|23f2 timer|23f3 time_ticking hourglass|23f8 pause|
23f9 stop_button|23fa record|24c2 metro|25b6 play|25c0 play_reverse|2601 cloud overcast|2604 comet meteor|
2611 checkbox|2614 umbrella_with_rain|2618 shamrock clover|
261d wait_one_second point_of_information asking_a_question|
2620 skull_and_crossbones pirate death hazard toxic poison|2622 radioactive nuclear|2623 biohazard|
262a star_and_crescent islam|262e peace|2638 wheel_of_dharma buddhism|2639 sad big_frown|263a smiling_face|
2668 hot_springs|267f accessible disabled|2692 at_work|2694 duel swords|2696 justice balance|2697 alchemy|
2699 gear settings mechanical engineer|269b atom physics|26a0 warning caution danger|26a1 high_voltage|
26b0 coffin burial grave|26b1 funeral_urn cremation|26bd football|26c4 frosty|26c5 partly_sunny partly_cloudy|
26c8 thunderstorm thunder_and_rain|26cf mine|26d1 helmet hard_hat rescue_worker safety_first invincible|
26d4 no_entry wrong_way|26f1 beach_umbrella|26f3 hole_in_one|26f9 ball sports|26fa tent camping|
26fd fuel_pump gas_pump petrol_pump|2705 check all_good approved|2709 email mail|270a fist power|
270c peace_sign victory|270d writing|270f pencil|2714 check_mark|2716 multiplication multiply|
271d cross christianity|2721 star_of_david judaism|2728 sparkles glamour|2734 eight_pointed_star|
274c cross_mark incorrect wrong|274e x|2763 heart_exclamation|2764 heart love love_you|2795 plus add|
2796 minus subtract|2797 division divide|27a1 right east|27b0 loop|27bf double_loop voicemail|2934 heading_up|
2935 heading_down|2b05 left west|2b06 up north|2b07 down south|2b55 circle|303d part_alternation|
3297 japanese_congratulations_button|3299 japanese_secret_button|1f0cf joker|1f17e o|1f17f parking p|
1f197 squared_ok|1f199 squared_up|1f21a japanese_free_of_charge_button|1f232 japanese_prohibited_button|
1f234 japanese_passing_grade_button|1f235 japanese_no_vacancy_button|1f236 japanese_not_free_of_charge_button|
1f237 japanese_monthly_amount_button|1f238 japanese_application_button|1f239 japanese_discount_button|
1f23a japanese_open_for_business_button|1f250 japanese_bargain_button|1f251 japanese_acceptable_button|
1f300 cyclone hurricane typhoon|1f303 night|1f304 mountain_sunrise|1f305 sunrise ocean_sunrise|1f306 sunset|
1f308 rainbow pride lgbtq|1f309 bridge|1f30c milky_way night_sky|1f310 www globe|1f314 waxing_moon|1f319 moon|
1f31a new_moon_face|1f31b goodnight|1f31d moon_face|1f31e sun_face|1f31f glowing_star|1f320 shooting_star wish|
1f321 temperature warm|1f325 cloudy|1f326 sunshowers sun_and_rain partly_sunny_with_rain|
1f327 rainy soaked drenched|1f328 snowy snowstorm|1f329 lightning lightning_storm|1f32b fog hazy|
1f32c windy mother_nature|1f331 seedling sprout|1f333 tree|1f336 hot_pepper chili_pepper|1f337 tulip flower|
1f33d corn maize|1f33e harvest|1f33f herb plant|1f340 lucky|1f343 leaves wind fall|1f34a orange|1f356 meat|
1f357 drumstick poultry|1f358 senbei|1f359 onigiri|1f35c ramen noodles|1f360 yam|1f364 tempura|1f365 naruto|
1f366 soft_serve soft_ice_cream|1f368 ice_cream gelato|1f369 donut|1f36b chocolate|1f36e custard flan|
1f36f honey|1f372 food soup|1f373 cooking|1f374 fork_and_knife eating_utensils|1f377 wine|
1f37d hungry meal table_setting fork_and_knife_with_plate lets_eat|1f380 ribbon decoration|1f381 gift present|
1f383 jack-o-lantern pumpkin|1f384 holiday_tree|1f388 balloon celebration|1f38a confetti party_ball|
1f38b wish_tree|1f38c crossed_flags solidarity|1f38f carp_streamer|1f391 moon_ceremony|1f392 backpack satchel|
1f393 graduate|1f396 military_medal|1f39a volume|1f39e film|1f39f ticket|1f3a0 carousel merry_go_round|
1f3a3 fishing|1f3a4 microphone mike mic|1f3a6 cinema movie_theater|1f3a8 art palette painting|1f3a9 top_hat|
1f3aa circus|1f3ab pass|1f3ac action|1f3ad performing_arts drama theater|1f3af direct_hit darts bulls_eye|
1f3b1 billiards pool 8_ball|1f3b2 dice die|1f3b3 strike|1f3b4 playing_cards|1f3b5 music|1f3b6 musical_notes|
1f3b9 piano|1f3bd running_shirt|1f3c1 checkered_flag race go start|1f3c3 running|1f3c4 surf|1f3c5 medal|
1f3c6 trophy winner|1f3c7 horse_racing horse_riding|1f3c8 american_football|1f3c9 rugby|1f3ca swim|
1f3cb lift work_out weight_lift gym|1f3cc golf|1f3cd motorcycle|1f3ce racecar|1f3cf cricket cricket_bat|
1f3d1 field_hockey|1f3d2 ice_hockey|1f3d3 ping_pong table_tennis|1f3d4 snowy_mountain|1f3d5 campsite|
1f3d6 beach|1f3d7 construction|1f3d8 houses|1f3d9 city skyline|1f3da derelict_house condemned|1f3dd island|
1f3e1 suburb|1f3e3 japan_post|1f3e4 post_office|1f3ee lantern|1f3ef shiro|1f3f0 castle|
1f3f3 white_flag surrender|1f3f4 black_flag|1f3f7 label tag price_tag|1f3f8 badminton|
1f3f9 bow_and_arrow archery|1f3fa vase|1f401 mouse|1f402 ox bull|1f404 cow|1f405 tiger|1f407 rabbit|
1f408 cat meow|1f40b humpback_whale|1f40d snake hiss|1f40e horse|1f411 sheep baa|
1f413 rooster alarm cock-a-doodle-doo|1f414 chicken cluck|1f415 dog woof|1f416 pig oink|
1f41a shell seashell conch spiral_shell|1f41b bug caterpillar|1f41d bee buzz|1f41e beetle|1f422 turtle tortoise|
1f423 hatching|1f424 chick|1f425 new_baby|1f42a arabian_camel|1f42d dormouse|1f42e calf|1f42f tiger_cub|
1f430 bunny|1f431 kitten|1f434 pony|1f436 puppy|1f437 piglet|1f43c panda|1f43e paw_prints paws|
1f440 eyes looking|1f444 lips mouth|1f446 point_up this|1f44a fist_bump|1f44b wave hello hi|1f44c ok got_it|
1f44d +1 thumbs_up like|1f44e -1 thumbs_down|1f44f clap applause|1f451 crown queen king|1f452 hat|
1f453 glasses spectacles|1f454 tie|1f456 jeans denim|1f45a clothing|1f45e shoe|
1f45f athletic_shoe sneaker running_shoe|1f460 high_heels|1f461 sandal flip_flops|1f463 footprints feet|
1f464 silhouette shadow|1f465 silhouettes shadows|1f46b man_and_woman_holding_hands man_and_woman_couple|
1f46c two_men_holding_hands men_couple|1f46d two_women_holding_hands women_couple|1f46e police|1f470 bride|
1f472 gua_pi_mao|1f473 turban|1f474 older_man elderly_man|1f475 older_woman elderly_woman|1f479 ogre|
1f47a goblin|1f47b ghost boo spooky haunted|1f47d alien ufo|1f47f devil angry_devil|
1f481 information_desk_person person_tipping_hand|1f482 guard|1f485 nail_polish|1f488 barber striped_pole|
1f489 injection|1f48a medicine|1f48b lipstick_kiss|1f48e gem crystal|1f494 broken_heart heartache|
1f497 heart_pulse growing_heart|1f498 cupid smitten heart_arrow|1f49a green_heart envy|
1f49b yellow_heart heart_of_gold|1f49c purple_heart bravery|1f49f heart_box|
1f4a0 cute kawaii diamond_with_a_dot|1f4a1 light_bulb idea|1f4a2 anger bam pow|1f4a5 boom explosion crash|
1f4a7 drop water_drop|1f4a9 poop pile_of_poo|1f4ab seeing_stars|1f4ac umm|1f4ad thought dream|1f4af 100 hundred|
1f4b0 money|1f4b1 exchange|1f4b2 dollars|1f4b3 credit_card debit_card|1f4b4 yen_banknotes|1f4b5 dollar_bills|
1f4b6 euro_banknotes|1f4b7 pound_notes|1f4b8 losing_money easy_come_easy_go|1f4b9 stock_market|
1f4bb computer laptop|1f4bd gold_record|1f4c1 organize|1f4c2 folder|1f4c3 receipt|
1f4c4 document paper file page|1f4c5 calendar|1f4c6 date|1f4c7 rolodex|
1f4c8 chart upwards_trend growing increasing|1f4c9 downwards_trend shrinking decreasing|
1f4cc push_pin thumb_tack|1f4cd pin sewing_pin|1f4ce paperclip attachment|1f4cf ruler straightedge|
1f4d0 carpenter_square|1f4d1 place_holder|1f4d2 ledger spiral_notebook|1f4d3 notebook composition_book|
1f4d4 decorative_notebook|1f4d5 red_book|1f4dd memo note|1f4de landline home_phone|1f4e2 loudspeaker bullhorn|
1f4e3 megaphone shout|1f4e4 outbox|1f4e5 inbox|1f4e8 mail_received|1f4e9 mail_sent sealed|1f4ea closed_mailbox|
1f4ec unread_mail|1f4ed inbox_zero empty_mailbox no_mail|1f4ee mail_dropoff|1f4ef horn|1f4f0 headlines|
1f4f1 mobile_phone smartphone android|1f4f4 phone_off|1f4f5 no_phones|1f4f6 cell_reception signal_bars|
1f4f8 taking_a_picture say_cheese|1f4f9 video_camera video_recorder|1f4fa tv television|1f4fc vhs videocassette|
1f4fd projector movie|1f500 shuffle|1f503 clockwise|1f504 counterclockwise return|1f505 low_brightness dim|
1f506 brightness|1f507 mute no_sound|1f509 softer|1f50a louder sound|1f50b battery full_battery|
1f50d search find magnifying_glass|1f50f privacy key_signing digital_security protected|
1f510 secure lock_with_key safe commitment loyalty|1f512 locked|1f513 unlocked|1f514 notifications|
1f515 mute_notifications|1f51e underage nc17|1f51f ten|1f520 capital_abcd capital_letters|1f521 abcd alphabet|
1f522 1234 numbers|1f525 fire lit hot flame|1f527 fixing|1f528 hammer maintenance handyman handywoman|
1f529 nut_and_bolt screw|1f52a knife betrayed|1f52c science scientist|
1f52e crystal_ball oracle future fortune_telling|1f532 white_and_black_square|1f533 black_and_white_square|
1f535 blue_circle|1f53a red_triangle_up|1f53b red_triangle_down|1f53c upvote up_button increase|
1f53d downvote down_button decrease|1f549 om hinduism|1f54a dove|1f54e menorah|1f557 time clock|
1f574 levitating hover|1f575 detective spy sleuth agent sneaky|1f578 web|1f579 joystick arcade|
1f57a dancing disco|1f587 office_supplies paperclip_chain linked|1f58a pen ballpoint_pen|1f58b fountain_pen|
1f58c paintbrush|1f58d crayon|1f590 high_five palm|1f596 spock live_long_and_prosper|1f5b1 computer_mouse|
1f5bc picture|1f5c2 sort|1f5c3 archive|1f5d1 wastebasket trash_can|1f5d2 spiral_notepad|1f5dc compression vise|
1f5dd secret dungeon encrypted clue hint|1f5de newspaper swat|1f5e1 dagger rated_for_violence|
1f5e3 speaking_head|1f5e8 speech_bubble|1f5ef anger_bubble|1f5f3 ballot_box|1f5fa map road_trip|1f5fc tower|
1f5fd statue new_york|1f5ff rock_carving|1f600 grinning happy|1f601 grinning_face_with_smiling_eyes|
1f602 joy tears laughter_tears|1f604 big_smile|1f606 laughing lol|1f607 innocent halo|
1f608 smiling_devil smiling_face_with_horns|1f60d heart_eyes in_love|1f60f smirk smug|1f610 neutral|
1f614 pensive tired|1f615 oh_no half_frown concerned|1f616 confounded agony|1f617 kiss|
1f618 heart_kiss blow_a_kiss|1f619 kiss_smiling_eyes|1f61a kiss_with_blush|1f61b stuck_out_tongue mischievous|
1f61c stuck_out_tongue_wink joking crazy|1f621 rage mad grumpy very_angry|1f623 persevere helpless|
1f625 exhausted stressed|1f627 anguished pained|1f628 fear scared shock|1f629 weary distraught|1f62b anguish|
1f62c grimacing nervous anxious|1f62e open_mouth surprise|1f633 flushed embarrassed blushing|1f635 dizzy|
1f636 speechless blank poker_face|1f63c smirk_cat smug_cat|1f63e angry_cat|1f63f crying_cat|
1f640 scream_cat weary_cat|1f641 frown slight_frown|1f642 smile|1f643 upside_down oops|1f644 rolling_eyes|
1f645 no_signal nope|1f646 ok_signal|1f64b raising_hand pick_me|1f64c raised_hands praise|1f64e person_pouting|
1f64f pray welcome thank_you namaste|1f682 train|1f683 railway_car train_car|1f684 high_speed_train|
1f685 bullet_train|1f686 oncoming_train|1f687 subway|1f68a oncoming_tram oncoming_streetcar oncoming_trolley|
1f68b tram streetcar|1f68c bus school_bus|1f68e trolley|1f68f bus_stop|1f692 fire_truck|1f695 taxi rideshare|
1f698 oncoming_car|1f699 recreational_vehicle jeep|1f69a moving_truck|
1f69b truck tractor-trailer big_rig semi_truck transport_truck|1f69d monorail elevated_train|1f6a0 gondola|
1f6a1 aerial_tramway ski_lift|1f6a3 rowboat crew sculling rowing|1f6a5 horizontal_traffic_light|
1f6a6 traffic_light|1f6a7 work_in_progress construction_zone|1f6a8 siren alert|1f6a9 triangular_flag|
1f6ab prohibited not_allowed|1f6b0 potable_water tap_water drinking_water|1f6b2 bike bicycle|1f6b4 cyclist|
1f6b5 mountain_biker|1f6b6 walking pedestrian|1f6b8 children_crossing school_crossing drive_with_care|
1f6bc baby_change_station nursery|1f6be wc water_closet|1f6c2 passport_control immigration|
1f6c5 locker locked_bag|1f6cb living_room furniture lifestyles|1f6cc in_bed accommodations guestrooms|
1f6ce bellhop_bell reception services ding|1f6cf bed bedroom|1f6d1 stop_sign|1f6d2 shopping_cart|
1f6e0 working_on_it tools|1f6e2 oil_drum commodities|1f6e3 road|1f6e4 railway_track train_tracks|
1f6eb take_off departure|1f6ec landing arrival airplane_arrival|1f6f3 passenger_ship yacht cruise|
1f6f5 scooter motor_bike|1f7e8 yellow_large_square|1f7e9 green_large_square|
1f910 silence quiet hush zip_it lips_are_sealed|1f911 money_face kaching|1f912 sick flu ill fever|
1f913 nerd geek|1f914 thinking|1f915 hurt head_bandage injured|1f916 robot|1f917 hug arms_open|1f918 rock_on|
1f919 call_me|1f91a stop|1f91b left_fist|1f91c right_fist|1f91d handshake done_deal|1f91e fingers_crossed|
1f920 cowboy|1f921 clown|1f922 nauseated queasy|1f924 drooling|1f925 lying|1f927 sneezing|
1f930 pregnant expecting|1f935 tuxedo|1f936 mother_christmas|1f938 cartwheel acrobatics gymnastics tumbling|
1f93a fencing|1f93c wrestling|1f940 wilted_flower crushed|1f941 drum|1f942 clink toast|1f943 small_glass|
1f945 gooooooooal goal|1f947 first_place gold number_one|1f948 second_place silver|1f949 third_place bronze|
1f94b black_belt keikogi dogi martial_arts|1f956 baguette|1f957 salad|1f958 paella|
1f959 doner_kebab shawarma souvlaki|1f95b milk|1f95d kiwi|1f95e pancakes breakfast|1f981 lion|1f984 unicorn|
1f98a fox|1f98e lizard gecko|1f9c0 cheese|
`;
