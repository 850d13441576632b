/**
 * The emoji names of the public protocol, as its public clients send them, where they differ from the CLDR names of
 * emojibase. Each row has a code and its names; clients show the first name. `+` stands for the CLDR name, and a code
 * without names has none in the protocol. A code is code points in lower-case hex, joined by dashes, without the
 * variation selector fe0f.
 */
export const PROTOCOL_NAMES = `
0023-20e3 hash|002a-20e3 asterisk|0030-20e3 zero|0031-20e3 one|0032-20e3 two|0033-20e3 three|0034-20e3 four|
0035-20e3 five|0036-20e3 six|0037-20e3 seven|0038-20e3 eight|0039-20e3 nine|00a9 + c|00ae + r|
203c bangbang double_exclamation|2049 interrobang|2122 tm trademark|2139 info|2194 left_right swap|2195 up_down|
2196 upper_left north_west|2197 upper_right north_east|2198 lower_right south_east|2199 lower_left south_west|
21a9 reply left_hook|21aa forward right_hook|231b times_up hourglass_done|23cf + eject|23e9 fast_forward|
23ea rewind fast_reverse|23eb double_up fast_up|23ec double_down fast_down|23ed next_track skip_forward|
23ee previous_track skip_back|23ef play_pause|23f2 timer|23f3 time_ticking hourglass|23f8 pause|23fa record|
24c2 metro m|25b6 play|25c0 play_reverse|2600 sunny|2601 + overcast|2604 + meteor|260e phone telephone|2611 checkbox|
2614 umbrella_with_rain|2615 coffee|2618 + clover|261d wait_one_second point_of_information asking_a_question|
2620 + pirate death hazard toxic poison|2622 + nuclear|262a + islam|262e peace|2638 + buddhism|2639 sad big_frown|
263a + relaxed|2640 + female|2642 + male|264f scorpius|265f + chess dupe expendable pawn|2660 spades|2663 clubs|
2665 hearts|2666 diamonds|267b recycle|267e + forever unbounded universal|267f accessible wheelchair disabled|
2692 at_work hammer_and_pick|2694 duel swords|2695 + aesculapius staff|2696 justice scales balance|
2697 alchemy alembic|2699 + settings mechanical engineer|269b atom physics|26a0 + caution danger|26a1 + zap|
26b0 + burial grave|26b1 + cremation|26bd football soccer|26c4 frosty|26c5 partly_sunny partly_cloudy|
26c8 thunderstorm thunder_and_rain|26cf mine pick|26d1 helmet hard_hat rescue_worker safety_first invincible|
26d3-200d-1f4a5 + break breaking broken chain cuffs freedom|26d4 + wrong_way|26f1 beach_umbrella|26f3 hole_in_one|
26f5 boat sailboat|26f9 ball sports|26fa + camping|26fd + gas_pump petrol_pump|2705 check all_good approved|
2709 email envelope mail|270a fist power|270b hand raised_hand|270c peace_sign victory|270d writing|2712 + nib|
2716 multiplication multiply|271d cross christianity|2721 + judaism|2728 + glamour|274c + incorrect wrong|274e x|
2753 question|2754 grey_question|2755 grey_exclamation|2757 exclamation|2764 heart love love_you|
2764-200d-1f525 + lust sacred|2764-200d-1fa79 + healthier improving mending recovering recuperating well|2795 + add|
2796 + subtract|2797 division divide|27a1 right east|27b0 loop|27bf double_loop voicemail|2934 heading_up|
2935 heading_down|2b05 left west|2b06 up north|2b07 down south|2b55 circle|303d part_alternation|
3297 + congratulations|1f004 mahjong|1f170 a|1f171 b|1f17e o|1f17f parking p|1f18e ab|1f191 cl|1f192 cool|1f193 free|
1f194 id|1f195 new|1f196 ng|1f197 squared_ok|1f198 sos|1f199 squared_up|1f19a vs|1f1e6-1f1ec flag_antigua_and_barbuda|
1f1e6-1f1fd flag_åland_islands flag_aland_islands|1f1e7-1f1e6 flag_bosnia_and_herzegovina|
1f1e7-1f1f1 flag_st_barthélemy flag_st_barthelemy|1f1e8-1f1ee flag_côte_divoire flag_cote_divoire|
1f1e8-1f1fc flag_curaçao flag_curacao|1f1ea-1f1e6 flag_ceuta_and_melilla|
1f1ec-1f1f8 flag_south_georgia_and_south_sandwich_islands|1f1ed-1f1f2 flag_heard_and_mcdonald_islands|
1f1f0-1f1f3 flag_st_kitts_and_nevis|1f1f5-1f1f2 flag_st_pierre_and_miquelon|1f1f7-1f1ea flag_réunion flag_reunion|
1f1f8-1f1ef flag_svalbard_and_jan_mayen|1f1f8-1f1f9 flag_são_tomé_and_príncipe flag_sao_tome_and_principe|
1f1f9-1f1e8 flag_turks_and_caicos_islands|1f1f9-1f1f7 flag_türkiye flag_turkiye|1f1f9-1f1f9 flag_trinidad_and_tobago|
1f1fb-1f1e8 flag_st_vincent_and_grenadines|1f1fc-1f1eb flag_wallis_and_futuna|1f202 + charge|1f21a + u7121|
1f22f + reserved|1f232 + u7981|1f233 + vacancy|1f234 + u5408|1f235 + u6e80|1f236 + u6709|1f237 + u6708|1f238 + u7533|
1f239 + u5272|1f23a + u55b6|1f250 + ideograph_advantage|1f251 + accept|1f300 + hurricane typhoon|1f303 night|
1f304 mountain_sunrise|1f305 + ocean_sunrise|1f306 sunset|1f307 city_sunrise|1f308 + pride lgbtq|1f309 bridge|
1f30a ocean|1f30c + night_sky|1f30d earth_africa|1f30e earth_americas|1f30f earth_asia|1f310 www globe|1f312 + waxing|
1f313 + first|1f314 waxing_moon|1f316 + gibbous|1f319 moon|1f31b goodnight|1f31d moon_face|1f31e sun_face|1f320 + wish|
1f321 temperature thermometer warm|1f324 mostly_sunny|1f325 cloudy|
1f326 sunshowers sun_and_rain partly_sunny_with_rain|1f327 rainy soaked drenched|1f328 snowy snowstorm|
1f329 lightning lightning_storm|1f32b + hazy|1f32c windy mother_nature|1f32d hotdog|1f331 + sprout|
1f333 tree deciduous_tree|1f336 + chili_pepper|1f337 + flower|1f33d corn maize|1f33e harvest ear_of_rice|1f33f + plant|
1f340 lucky four_leaf_clover|1f343 leaves wind fall|
1f344-200d-1f7eb + fungi fungus portobello shiitake shroom spore toppings truffle vegetarian|
1f34a orange tangerine mandarin|
1f34b-200d-1f7e9 + acidity citrus garnish margarita mojito refreshing salsa sour tangy tequila zest|1f34e apple|
1f356 meat|1f357 drumstick poultry|1f358 senbei rice_cracker|1f359 onigiri|1f35a rice|1f35b curry|1f35c ramen noodles|
1f35f fries|1f360 yam sweet_potato|1f364 tempura|1f365 naruto|1f366 soft_serve soft_ice_cream|1f368 + gelato|
1f369 donut doughnut|1f36b chocolate|1f36e + flan|1f36f honey|1f370 cake|1f371 bento|1f372 food soup stew|
1f374 + eating_utensils|1f375 tea|1f377 wine|1f378 cocktail|1f37a beer|1f37b beers|
1f37d hungry meal table_setting fork_and_knife_with_plate lets_eat|1f37e champagne|1f380 + decoration|
1f381 gift present|1f382 birthday|1f383 jack-o-lantern pumpkin|1f384 holiday_tree|1f385 santa|1f388 + celebration|
1f389 tada|1f38a confetti party_ball|1f38b wish_tree tanabata_tree|1f38c + solidarity|1f38d bamboo|1f38e dolls|
1f38f + flags|1f391 moon_ceremony|1f392 + satchel|1f393 graduate mortar_board|1f39a volume level_slider|1f39e film|
1f39f ticket|1f3a0 carousel merry_go_round|1f3a3 fishing|1f3a4 + mike mic|1f3a6 + movie_theater|1f3a7 headphones|
1f3a8 art palette painting|1f3aa circus|1f3ab pass|1f3ac action|1f3ad + drama theater|1f3af direct_hit darts bulls_eye|
1f3b1 billiards pool 8_ball|1f3b2 dice die|1f3b3 strike bowling|1f3b4 playing_cards|1f3b5 music|
1f3b9 piano musical_keyboard|1f3bf ski|1f3c1 checkered_flag race go start|1f3c3 running runner|1f3c4 surf|1f3c5 medal|
1f3c6 + winner|1f3c7 + horse_riding|1f3c9 rugby|1f3ca swim|1f3cb lift work_out weight_lift gym|1f3cc golf|
1f3ce racecar|1f3d3 + table_tennis|1f3d4 snowy_mountain|1f3d5 campsite|1f3d6 beach|1f3d7 construction|
1f3d9 city skyline|1f3da + condemned|1f3dd island|1f3e1 suburb|1f3e2 office|1f3e3 japan_post|1f3e7 atm|
1f3ee lantern izakaya_lantern|1f3ef shiro|1f3f3 + surrender|
1f3f3-200d-1f308 + bisexual gay genderqueer glbt glbtq lesbian lgbt lgbtqia queer trans|
1f3f4-200d-2620 + jolly plunder roger|1f3f7 + tag price_tag|1f3f9 + archery|1f3fa vase amphora|1f402 + bull|
1f408 + meow|1f408-200d-2b1b + feline unlucky|1f40b humpback_whale|1f40d + hiss|1f411 sheep baa|
1f413 + alarm cock-a-doodle-doo|1f414 + cluck|1f415 + woof|1f415-200d-1f9ba + assistance|1f416 + oink|
1f41a shell seashell conch spiral_shell|1f41b + caterpillar|1f41d bee buzz honeybee|1f41e + garden ladybird ladybug|
1f422 + tortoise|1f423 hatching hatching_chick|1f424 chick baby_chick|1f425 new_baby|
1f426-200d-2b1b + beak caw corvid crow raven rook|
1f426-200d-1f525 + ascension emerge firebird glory immortal rebirth reincarnation reinvent renewal revival revive rise transform|
1f42a arabian_camel|1f42b camel|1f42c + flipper|1f42d dormouse|1f42e calf|1f42f tiger_cub|1f430 bunny|1f431 kitten|
1f433 whale|1f434 pony|1f436 puppy|1f437 piglet|1f43b-200d-2744 + arctic polar|1f43e + paws|1f440 + looking|
1f441-200d-1f5e8 + speech witness|1f444 lips mouth|1f446 point_up this|1f447 point_down|1f448 point_left|
1f449 point_right|1f44a fist_bump punch|1f44b wave hello hi|1f44c ok got_it|1f44d +1 thumbs_up like|
1f44e -1 thumbs_down|1f44f clap applause|1f451 + queen king|1f452 hat|1f453 + spectacles|1f454 tie|1f455 shirt tshirt|
1f456 + denim|1f45a clothing|1f45d pouch|1f45e shoe|1f45f athletic_shoe sneaker running_shoe|1f460 high_heels|
1f461 sandal flip_flops|1f462 boot|1f463 + feet|1f464 silhouette shadow|1f465 silhouettes shadows|
1f468-200d-1f37c + father|1f46b man_and_woman_holding_hands man_and_woman_couple|
1f46c two_men_holding_hands men_couple|1f46d two_women_holding_hands women_couple|1f46e police cop|1f46f dancers|
1f470 bride|1f471 + human|1f471-200d-2640 + blonde|1f472 gua_pi_mao|1f473 turban|1f474 older_man elderly_man|
1f475 older_woman elderly_woman|1f47b + boo spooky haunted|1f47c angel|1f47d + ufo|1f47e space_invader|
1f47f devil imp angry_devil|1f481 information_desk_person person_tipping_hand|1f483 dancer|1f485 + nail_care|
1f486 massage|1f487 haircut|1f488 barber striped_pole|1f489 injection syringe|1f48a medicine pill|1f48b lipstick_kiss|
1f48e gem crystal|1f493 heartbeat|1f494 + heartache|1f497 heart_pulse growing_heart|1f498 cupid smitten heart_arrow|
1f49a + envy|1f49b + heart_of_gold|1f49c + bravery|1f49d gift_heart|1f49f heart_box|
1f4a0 cute kawaii diamond_with_a_dot|1f4a1 + bulb idea|1f4a2 anger bam pow|1f4a5 boom explosion crash collision|
1f4a6 sweat_drops|1f4a7 drop water_drop|1f4a8 dash|1f4a9 poop pile_of_poo|1f4aa muscle|1f4ab seeing_stars|
1f4ac umm speech_balloon|1f4ad thought dream|1f4af 100 hundred|1f4b0 money|1f4b1 exchange|1f4b2 dollars|
1f4b3 + debit_card|1f4b4 yen_banknotes|1f4b5 dollar_bills|1f4b6 euro_banknotes|1f4b7 pound_notes|
1f4b8 losing_money easy_come_easy_go money_with_wings|1f4b9 stock_market|1f4bb computer laptop|
1f4bd gold_record minidisc|1f4bf cd|1f4c1 organize file_folder|1f4c2 folder|1f4c3 + curl|
1f4c4 document paper file page|1f4c6 date|1f4c7 rolodex card_index|1f4c8 chart upwards_trend growing increasing|
1f4c9 downwards_trend shrinking decreasing|1f4cc push_pin thumb_tack|1f4cd pin sewing_pin|1f4ce + attachment|
1f4cf ruler straightedge|1f4d0 carpenter_square triangular_ruler|1f4d1 place_holder|1f4d2 + spiral_notebook|
1f4d3 + composition_book|1f4d4 decorative_notebook|1f4d5 red_book closed_book|1f4d6 book open_book|1f4dd + note|
1f4de landline home_phone|1f4e0 fax|1f4e2 + bullhorn|1f4e3 + shout|1f4e4 outbox|1f4e5 inbox|1f4e7 e-mail|
1f4e8 mail_received|1f4e9 mail_sent sealed|1f4ea closed_mailbox|1f4eb mailbox|1f4ec unread_mail|
1f4ed inbox_zero empty_mailbox no_mail|1f4ee mail_dropoff|1f4ef horn|1f4f0 headlines|1f4f1 + smartphone iphone android|
1f4f2 calling|1f4f4 phone_off|1f4f5 no_phones|1f4f6 cell_reception signal_strength signal_bars|
1f4f8 taking_a_picture say_cheese|1f4f9 + video_recorder|1f4fa tv television|1f4fc vhs videocassette|
1f4fd projector movie|1f500 shuffle|1f501 repeat|1f502 repeat_one|1f503 clockwise|1f504 counterclockwise return|
1f505 low_brightness dim|1f506 brightness high_brightness|1f507 mute no_sound|1f508 speaker|1f509 softer|
1f50a louder sound|1f50b + full_battery|1f50d search find magnifying_glass|
1f50e + contact magnifying right_pointing tilted|1f50f privacy key_signing digital_security protected|
1f510 secure lock_with_key safe commitment loyalty|1f514 notifications bell|1f515 mute_notifications|1f519 back|
1f51a end|1f51b on|1f51c soon|1f51d top|1f51e underage nc17|1f51f ten|1f520 capital_abcd capital_letters|
1f521 abcd alphabet|1f522 1234 numbers|1f523 symbols|1f524 abc|1f525 + lit hot flame|1f527 fixing wrench|
1f528 + maintenance handyman handywoman|1f529 + screw|1f52a knife hocho betrayed|1f52b gun|1f52c science microscope|
1f52e + oracle future fortune_telling|1f52f + jewish six_pointed|1f530 beginner|1f531 trident|
1f532 white_and_black_square|1f533 black_and_white_square|1f53a red_triangle_up|1f53b red_triangle_down|
1f53c upvote up_button increase|1f53d downvote down_button decrease|1f549 + hinduism|1f54a + dove_of_peace|
1f557 time clock|1f574 levitating hover|1f575 + spy sleuth agent sneaky|1f576 dark_sunglasses|1f578 web spider_web|
1f579 + arcade|1f57a dancing disco|1f587 office_supplies paperclip_chain linked|1f58a + ballpoint_pen|
1f590 high_five palm|1f596 spock live_long_and_prosper|1f5bc picture framed_picture|1f5c2 sort|1f5c3 archive|
1f5d1 + trash_can|1f5d3 + pad|1f5dc compression vise|1f5dd secret dungeon old_key encrypted clue hint|
1f5de newspaper swat|1f5e1 + rated_for_violence|1f5e8 speech_bubble|1f5ef anger_bubble|1f5f3 ballot_box|
1f5fa map world_map road_trip|1f5fc tower tokyo_tower|1f5fd statue new_york statue_of_liberty|1f5fe japan|
1f5ff rock_carving moyai|1f600 grinning happy|1f601 grinning_face_with_smiling_eyes|1f602 joy tears laughter_tears|
1f603 smiley|1f604 big_smile|1f605 sweat_smile|1f606 laughing lol|1f607 innocent halo|
1f608 smiling_devil smiling_imp smiling_face_with_horns|1f609 wink|1f60a blush|1f60b yum|1f60c relieved|
1f60d heart_eyes in_love|1f60e sunglasses|1f60f smirk smug|1f610 neutral|1f611 expressionless|1f612 unamused|
1f613 sweat|1f614 pensive tired|1f615 oh_no half_frown concerned confused|1f616 confounded agony|
1f617 + smooch smooches|1f618 heart_kiss blow_a_kiss|1f619 kiss_smiling_eyes|1f61a kiss_with_blush|
1f61b stuck_out_tongue mischievous|1f61c stuck_out_tongue_wink joking crazy|1f61d stuck_out_tongue_closed_eyes|
1f61e disappointed|1f61f worried|1f620 angry|1f621 rage mad grumpy very_angry|1f622 cry|1f623 persevere helpless|
1f624 triumph|1f625 exhausted disappointed_relieved stressed|1f626 frowning|1f627 anguished pained|
1f628 fear scared shock|1f629 weary distraught|1f62a sleepy|1f62b anguish|1f62c grimacing nervous anxious|1f62d sob|
1f62e open_mouth surprise|1f62e-200d-1f4a8 + blow blowing exhale exhaling groan relief sigh smoke whisper whistle|
1f62f hushed|1f630 cold_sweat|1f631 scream|1f632 astonished|1f633 flushed embarrassed blushing|1f634 sleeping|
1f635 dizzy|1f635-200d-1f4ab + hypnotized trouble woah|1f636 speechless no_mouth blank poker_face|
1f636-200d-1f32b + absentminded clouds|1f637 mask|1f638 smile_cat|1f639 joy_cat|1f63a smiley_cat|1f63b heart_eyes_cat|
1f63c smirk_cat smug_cat|1f63e angry_cat pouting_cat|1f640 scream_cat weary_cat|1f641 frown slight_frown|1f642 smile|
1f642-200d-2194 + horizontally|1f642-200d-2195 + nod vertically|1f643 upside_down oops|1f644 rolling_eyes|
1f645 no_signal nope|1f646 ok_signal|1f647 bow|1f648 see_no_evil|1f649 hear_no_evil|1f64a speak_no_evil|
1f64b raising_hand pick_me|1f64c raised_hands praise|1f64f + welcome thank_you namaste pray|
1f682 train steam_locomotive|1f683 + train_car|1f686 oncoming_train|1f687 subway|
1f68a oncoming_tram oncoming_streetcar oncoming_trolley|1f68b tram streetcar|1f68c + school_bus|1f68e trolley|
1f692 fire_truck fire_engine|1f695 + rideshare|1f697 car|1f698 oncoming_car oncoming_automobile|
1f699 recreational_vehicle jeep|1f69a moving_truck|1f69b truck tractor-trailer big_rig semi_truck transport_truck|
1f69d + elevated_train|1f6a0 gondola mountain_cableway|1f6a1 + ski_lift|1f6a3 rowboat crew sculling rowing|
1f6a6 traffic_light vertical_traffic_light|1f6a7 work_in_progress construction_zone|1f6a8 siren rotating_light alert|
1f6ab + not_allowed|1f6ac smoking|1f6ae put_litter_in_its_place|1f6af do_not_litter|1f6b0 + tap_water drinking_water|
1f6b1 non-potable_water|1f6b2 bike bicycle|1f6b4 cyclist|1f6b5 mountain_biker|1f6b6 walking pedestrian|
1f6b8 + school_crossing drive_with_care|1f6b9 mens|1f6ba womens|1f6bc baby_change_station nursery|
1f6be wc water_closet|1f6c0 bath|1f6c2 + immigration|1f6c5 locker locked_bag|
1f6cb living_room furniture couch_and_lamp lifestyles|1f6cc in_bed accommodations guestrooms|
1f6ce + reception services ding|1f6cf + bedroom|1f6d1 + octagonal_sign|1f6d2 + shopping_trolley|1f6d5 + hindu temple|
1f6d6 + roundhouse shelter yurt|1f6d7 + hoist|
1f6dc + broadband connectivity hotspot internet network router wi_fi wifi wlan|
1f6dd + amusement park playground slide sliding theme|1f6de + tire turn vehicle|
1f6df + buoy float lifesaver preserver rescue save saver|1f6e0 working_on_it hammer_and_wrench tools|
1f6e2 + commodities|1f6e3 road motorway|1f6e4 + train_tracks|1f6eb take_off departure airplane_departure|
1f6ec landing arrival airplane_arrival|1f6f3 + yacht cruise|1f6f5 scooter motor_bike|
1f6f7 + luge sledge sleigh snow toboggan|1f6f8 + aliens extra saucer terrestrial|1f6f9 + board skater wheels|
1f6fa + auto rickshaw tuk|1f6fb + automobile flatbed pick_up pickup transportation|1f6fc + blades skates|
1f7e1 + yellow|1f7e5 + penalty|1f7e8 yellow_large_square|1f7e9 green_large_square|
1f7f0 + answer equal equality equals math|1f90c + huh interrogation patience pinched ugh zip|
1f90f + amount bit little pinching|1f910 silence quiet hush zip_it lips_are_sealed|1f911 money_face kaching|
1f912 sick flu face_with_thermometer ill fever|1f913 nerd geek|1f914 thinking|1f915 hurt head_bandage injured|
1f917 hug arms_open|1f918 rock_on sign_of_the_horns|1f919 call_me|1f91a stop|1f91b left_fist|1f91c right_fist|
1f91d + done_deal|1f91e fingers_crossed|1f920 cowboy|1f921 clown|1f922 nauseated queasy|1f923 + rofl|1f924 drooling|
1f925 lying|1f926 face_palm|1f927 sneezing|1f928 + disapproval distrust emoji hmm mild raised skeptic skepticism|
1f929 + starry_eyed|1f92a + goofy zany|1f92b + shh shush shushing|1f92c + censor cursing cussing pissed swearing|
1f92d + giggle giggling realization sudden whoops|1f92e + barf ew gross puke spew vomit vomiting|
1f92f + blown explode exploding mind mindblown shocked way|1f930 pregnant expecting|1f931 + breast|
1f932 + cupped dua palms prayer|1f935 tuxedo|1f936 mother_christmas mrs_claus|1f937 shrug|
1f938 cartwheel acrobatics gymnastics tumbling|1f939 juggling|1f93a fencing|1f93c wrestling|1f93d water_polo|
1f93e handball|1f93f + snorkeling|1f940 + crushed|1f942 clink toast|1f943 small_glass|1f945 gooooooooal goal|
1f947 first_place gold number_one|1f948 second_place silver|1f949 third_place bronze|
1f94b black_belt keikogi dogi martial_arts|1f94c + curling|1f94e + glove underarm|1f94f + disc ultimate|1f956 baguette|
1f957 salad|1f958 paella|1f959 doner_kebab shawarma souvlaki stuffed_flatbread|1f95b milk glass_of_milk|1f95d kiwi|
1f95e + breakfast|1f95f + empanada gyōza jiaozi pierogi potsticker gyoza|1f960 + prophecy|1f961 + delivery takeout|
1f962 + hashi jeotgarak kuaizi|1f963 + bowl cereal congee oatmeal porridge|1f964 + malt soda soft|
1f965 + colada piña pina|1f966 + wild|1f967 + filling pastry slice|1f968 + convoluted twisted|
1f969 + lambchop porkchop steak|1f96b + can canned|1f96c + bok burgers choy kale leafy lettuce|
1f96e + autumn festival yuèbǐng yuebing|1f96f + schmear|1f970 + 3 adore crush|
1f971 + bedtime bored nap sleep yawn yawning|1f972 + glad pain tear touched|1f973 + bday hooray|
1f974 + drunk intoxicated tipsy uneven wavy|1f975 + dying feverish panting red_faced stroke sweating|
1f976 + blue_faced freezing frostbite icicles subzero|1f977 + assassin fight fighter skills stealth|
1f978 + disguise incognito moustache mustache tache tash|1f979 + admiration aww feelings gratitude holding resist|
1f97a + begging big mercy pleading why|1f97c + clothes dr|1f97d + dive welding|1f97e + backpacking hiking outdoors|
1f97f + comfy flat flats slip_on slipper|1f98e + gecko|1f992 + spots|1f993 + stripe|1f994 + spiny|
1f995 + brachiosaurus brontosaurus diplodocus|1f996 t_rex rex t tyrannosaurus|1f997 + grasshopper orthoptera|
1f998 + joey jump marsupial|1f999 + alpaca guanaco vicuña wool vicuna|1f99a + colorful ostentatious peahen|
1f99b + hippo|1f99c + talk|1f99d + curious|1f99e + bisque claws seafood|1f99f + malaria|1f9a0 + amoeba|1f9a1 + pester|
1f9a2 + cygnet duckling ugly|1f9a3 + tusk wooly|1f9a5 + lazy slow|1f9a6 + playful|1f9a7 + ape|1f9a8 + stink|
1f9a9 + flamboyant|1f9ab + dam|1f9ac + buffalo herd wisent|1f9b4 + wishbone|1f9b5 + knee limb|1f9b6 + ankle stomp|
1f9b7 + dentist pearly|1f9b8-200d-2640 + heroine|1f9ba + emergency vest|1f9bb + hard hearing|1f9be + arm|1f9c0 cheese|
1f9c1 + dessert sprinkles sugar treat|1f9c2 + flavor salty taste|1f9c3 + beverage|1f9c6 + chickpea meatball|
1f9c7 + indecisive iron|1f9c8 + dairy|1f9ca + cube iceberg|1f9cb + boba|1f9cc + monster trolling|
1f9d0 + classy fancy monocle stuffy wealthy|1f9d1-200d-1f37c + parent|
1f9d1-200d-1f384 + christmas claus holiday merry mx xmas|1f9d1-200d-1f91d-200d-1f9d1 + friends twins|
1f9d2 + bright_eyed grandchild kid young younger|1f9d3 + elderly grandparent old wise|
1f9d5 + bandana headscarf hijab kerchief mantilla tichel|1f9da-200d-2640 + titania|1f9da-200d-2642 + oberon puck|
1f9db + dracula|1f9dc-200d-2640 + merwoman|1f9dc-200d-2642 + neptune poseidon triton|1f9e0 + intelligent smart|
1f9e2 + billed cap|1f9e3 + neck|1f9e5 + brr|1f9e6 + stocking|1f9e7 + hóngbāo lai see hongbao|
1f9e8 + dynamite explosive pop popping spark|1f9e9 + interlocking jigsaw piece puzzle|1f9ea + chemistry test tube|
1f9eb + biology culture dish petri|1f9ec + evolution gene genetics|1f9ed + direction navigation orienteering|
1f9ee + calculation calculator|1f9ef + extinguish extinguisher quench|1f9f0 + chest|1f9f1 + bricks clay mortar wall|
1f9f2 + attraction horseshoe negative positive shape u|1f9f3 + bag packing suitcase travel|
1f9f4 + bottle lotion moisturizer shampoo sunscreen|1f9f5 + spool string|1f9f6 + crochet knit|1f9f7 + diaper punk|
1f9f8 + plaything plush teddy|1f9f9 + sweeping|1f9fa + farming laundry picnic|1f9fb + roll towels|
1f9fc + bar lather soapdish|1f9fd + absorbing porous soak|1f9fe + accounting bookkeeping evidence invoice proof|
1f9ff + bead charm evil_eye nazar talisman|1fa70 + shoes|1fa73 + pants|1fa74 + flop sandals thong thongs zōri zori|
1fa75 + cyan sky teal|1fa76 + gray grey slate|1fa77 + adorable|1fa78 + bleed donation injury menstruation|
1fa79 + adhesive bandage|1fa7b + xray|1fa7c + disability help mobility|1fa80 + fluctuate|
1fa82 + hang_glide parasail skydive|1fa83 + rebound repercussion weapon|1fa84 + magician wand|
1fa85 piñata cinco de festive mayo pinada pinata|1fa86 + babooshka baboushka babushka doll matryoshka russia|
1fa87 + cha percussion rattle|1fa88 + band fife flautist marching orchestra piccolo pipe recorder woodwind|
1fa90 + planet ringed saturn saturnine|1fa91 + sit|1fa92 + sharp shave|1fa93 + ax hatchet split|1fa94 + diya oil|
1fa95 + stringed|1fa96 + army military warrior|1fa97 + concertina squeeze squeezebox|1fa98 + conga long rhythm|
1fa99 + dollar euro metal|1fa9a + carpenter carpentry saw trim|1fa9b + flathead handy|1fa9c + rung step|
1fa9d + crook curve ensnare point selling|1fa9e + makeup reflection reflector speculum|
1fa9f + air frame fresh opening transparent view|1faa0 + force suction|
1faa1 + embroidery sew stitches sutures tailoring|1faa2 + cord rope tangled twine twist|1faa3 + cask vat|
1faa4 + bait lure mousetrap snare trap|1faa5 + bathroom brush dental hygiene toiletry|
1faa6 + cemetery graveyard memorial rip tomb tombstone|1faa7 + demonstration notice picket plaque protest|
1faa8 + boulder solid tough|1faa9 + glitter|1faaa + credentials identification license security|
1faab + drained electronic energy low|1faac + fatima mary miriam protect|1faad + clack cooling fan flutter folding|
1faae + afro comb|1faaf + deg fateh khalsa religion sikh sikhism tegh|1fab0 + maggot rotting|
1fab1 + annelid earthworm parasite|1fab3 + roach|1fab4 + decor grow nurturing potted|1fab5 + log timber|
1fab6 + flight plumage|1fab7 + calm purity|1fab8 + change climate reef|1faba + eggs|
1fabb + bloom bluebonnet indigo lavender lilac lupine shrub snapdragon spring violet|
1fabc + aquarium invertebrate jelly marine ouch plankton sting stinger tentacles|
1fabd + angelic aviation heavenly mythology|1fabf + flock fowl gaggle gander geese honk silly|
1fac0 + anatomical cardiology pulse real|1fac1 + breath breathe exhalation inhalation lung respiration|
1fac2 + comfort embrace farewell friendship goodbye hugging thanks|1fac5 + monarch noble regal royal royalty|
1face + alces antlers elk|1facf + ass burro hinny mule stubborn|1fad0 + berries berry bilberry blueberry|
1fad1 + capsicum pepper|1fad3 + arepa gordita lavash naan pita|1fad4 + mexican pamonha wrapped|1fad5 + melted|
1fad6 + brew|1fad7 + accident pour pouring spill|1fad8 + kidney|1fad9 + container nothing sauce store|
1fada + ginger natural root spice|1fadb + beanstalk edamame pea pod soybean|1fae0 + dissolve haha melt melting|
1fae1 + maam respect salute saluting sir troops|1fae2 + amazement awe open|
1fae3 + captivated hiding peek peeking peep stare|1fae4 + confusion diagonal doubtful frustration unsure|
1fae5 + depressed introvert invisible line|1fae6 + biting flirting lip sexy uncomfortable worry|
1fae7 + burp floating underwater|1fae8 + daze earthquake panic vibrate|1faf0 + crossed expensive snap thumb|
1faf3 + dismiss dropped shoo|1faf4 + beckon come offer tell|1faf5 + at pointing poke viewer|1f1e6|1f1e7|1f1e8|1f1e9|
1f1ea|1f1eb|1f1ec|1f1ed|1f1ee|1f1ef|1f1f0|1f1f1|1f1f2|1f1f3|1f1f4|1f1f5|1f1f6|1f1f7|1f1f8|1f1f9|1f1fa|1f1fb|1f1fc|
1f1fd|1f1fe|1f1ff|1f550|1f551|1f552|1f553|1f554|1f555|1f556|1f558|1f559|1f55a|1f55b|1f55c|1f55d|1f55e|1f55f|1f560|
1f561|1f562|1f563|1f564|1f565|1f566|1f567|1f6d8|1f9b0|1f9b1|1f9b2|1f9b3|1fa89|1fa8a|1fa8e|1fa8f|1fabe|1fac6|1fac8|
1facd|1fadc|1fadf|1fae9|1faea|1faef|1f1e8-1f1f6|1f9d1-200d-1fa70
`;

/** Earlier names, which stored reactions and statuses contain. Most of them now belong to other emoji. */
export const FORMER_NAMES =
  "1f3cf cricket cricket_bat|1f41e beetle|1f4b5 dollar|1f4b6 euro|1f4c3 receipt|1f52c scientist|1f617 kiss|1f918 metal|" +
  "1f1e9-1f1ea de|1f997 cricket_insect|1f9d1-200d-1f52c person_scientist|1f9fe bill|1fab2 green_beetle";
